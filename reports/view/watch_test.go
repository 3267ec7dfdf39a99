package view

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// All tabs on one run share a watcher, which ends with the last of them.
func TestOneWatcherForAllTabs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		s := &server{ctx: ctx, Options: Options{Poll: time.Second}, watchers: map[string]*watcher{}}
		var looks atomic.Int64
		look := func(context.Context) (state, error) {
			return state{figures: map[string]string{"looks": fmt.Sprint(looks.Add(1))}}, nil
		}
		first, leaveFirst := s.watch("run", look)
		second, leaveSecond := s.watch("run", look)
		synctest.Wait()
		time.Sleep(3500 * time.Millisecond)
		synctest.Wait()
		if n := looks.Load(); n != 4 {
			t.Errorf("two tabs cause %d looks in 3.5 seconds, not 4", n)
		}
		for name, tab := range map[string]<-chan state{"first": first, "second": second} {
			if got := (<-tab).figures["looks"]; got != "4" {
				t.Errorf("the %s tab gets figures of look %s, not of the newest", name, got)
			}
		}
		third, leaveThird := s.watch("run", look)
		if got := (<-third).figures["looks"]; got != "4" {
			t.Errorf("a tab that comes late gets figures of look %s", got)
		}
		leaveFirst()
		leaveThird()
		time.Sleep(time.Second)
		synctest.Wait()
		if n := looks.Load(); n != 5 {
			t.Errorf("the watcher ended with a tab that was not the last: %d looks", n)
		}
		leaveSecond()
		time.Sleep(time.Minute)
		synctest.Wait()
		if n := looks.Load(); n != 5 || len(s.watchers) > 0 {
			t.Errorf("the watcher goes on after the last tab: %d looks, %d watchers", n, len(s.watchers))
		}
		stop()
		s.work.Wait()
	})
}
