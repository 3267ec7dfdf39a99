//go:build soak && !windows

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The links of two hosts are cut for a minute in the middle of a run: no trace is lost, doubled or different. A host is a
// network namespace.
func TestSoakLinkCut(t *testing.T) {
	const cut = time.Minute
	s := newHubShop(t)
	hosts, address := hosts(t, 2)
	port := portOf(t)
	url := "tls://" + address + ":" + port
	connection := " --hub-token-file token --hub-ca hub.pem"
	s.run("openssl rand -hex 32 > token")
	s.run("openssl req -x509 -newkey ed25519 -nodes -days 365 -subj /CN=hub -addext subjectAltName=IP:" + address +
		" -keyout hub.key -out hub.pem")
	s.beside(nil, "concur-hub --dir hub --listen "+address+":"+port+
		" --token-file token --tls-cert hub.pem --tls-key hub.key")
	accepting(t, address+":"+port)
	for _, host := range hosts {
		s.beside([]string{"ip", "netns", "exec", host}, "concur work "+url+connection+" --places 4")
	}
	const flags = "concur run queries.yaml --seed 4711 --k 40 --model 'offline:reader?latency=100ms' --quiet"
	hub := exec.Command("bash", "-c", "exec "+flags+" --hub "+url+connection+" --hub-ack-wait 5s")
	var out bytes.Buffer
	hub.Dir, hub.Stdout, hub.Stderr = s.folder, &out, &out
	if err := hub.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- hub.Wait() }()
	conclusions := func() (n int) {
		files, _ := filepath.Glob(filepath.Join(s.folder, "runs", "*", "trace.jsonl")) // the pattern is correct
		for _, file := range files {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			n += strings.Count(string(raw), `"event":"final"`)
		}
		return n
	}
	for conclusions() < 20 {
		select {
		case err := <-ended:
			t.Fatalf("the run ended early: %v\n%s", err, out.String())
		case <-time.After(10 * time.Millisecond):
		}
	}
	links := func(state string) {
		t.Helper()
		for _, host := range hosts {
			script := `for l in $(ip -n ` + host + ` -o link | grep -o 'ct[0-9-]*'); do ip -n ` + host + ` link set "$l" ` + state + `; done`
			s.run(script)
		}
	}
	links("down")
	before := conclusions()
	time.Sleep(cut)
	during := conclusions()
	links("up")
	if err := <-ended; err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	t.Logf("%d traces before the cut, %d at its end, %d altogether\n%s", before, during, conclusions(), out.String())
	if during > before+2*4*2 || during > 200 {
		t.Errorf("%d traces ended while no worker could reach the hub", during-before)
	}
	s.run(strings.Replace(flags, "--quiet", "--runs-dir whole --quiet", 1))
	s.same("runs")
}
