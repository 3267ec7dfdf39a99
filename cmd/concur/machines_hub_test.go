//go:build !windows

package main

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/runner/store"
)

// newHubShop returns a folder like newShop, and puts concur-hub beside concur.
func newHubShop(t *testing.T) shop {
	t.Helper()
	s := newShop(t)
	if _, err := exec.LookPath("openssl"); err != nil {
		t.Skip("openssl is not installed")
	}
	bin := t.TempDir()
	build := exec.Command("go", "build", "-o", bin, "../concur-hub")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	return s
}

// beside runs a command until the end of the test, after the words of prefix.
func (s shop) beside(prefix []string, command string) {
	s.Helper()
	words := append(append([]string{}, prefix...), "bash", "-c", "exec "+command)
	c := exec.Command(words[0], words[1:]...)
	var out bytes.Buffer
	c.Dir, c.Stdout, c.Stderr = s.folder, &out, &out
	if err := c.Start(); err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() {
		_ = c.Process.Kill() // a worker finishes for 10 s if it is asked politely
		_ = c.Wait()         // it was killed
		if s.Failed() {
			s.Logf("%s\n%s", command, out.String())
		}
	})
}

// checkHub compares the run in a folder with one on this machine without a hub.
func (s shop) checkHub(runs string) {
	s.Helper()
	s.run("concur run queries.yaml --seed 4711 --runs-dir whole --quiet")
	s.same(runs)
}

// same compares the run in a folder with the one in the folder whole.
func (s shop) same(runs string) {
	s.Helper()
	whole, made := newest(s.T, filepath.Join(s.folder, "whole")), newest(s.T, filepath.Join(s.folder, runs))
	if made.Manifest.State != store.Complete {
		s.Errorf("%+v", made.Manifest)
	}
	if diff := cmp.Diff(records(s.T, whole), records(s.T, made)); diff != "" {
		s.Errorf("records (-here +hub):\n%s", diff)
	}
}

// portOf returns the result of freePort.
func portOf(t *testing.T) string {
	t.Helper()
	port, err := freePort()
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// commands returns the commands of a script, by their first two words, without comments.
func commands(script string) (out []string) {
	for line := range strings.Lines(script) {
		line, _, _ = strings.Cut(line, " #")
		out = append(out, strings.TrimSpace(line))
	}
	return out
}

// Several processes on one machine: the commands are those of the page, with another port.
func TestMachinesHub(t *testing.T) {
	s := newHubShop(t)
	port := portOf(t)
	for _, command := range commands(machinesPage(t, "## A hub")[0]) {
		command = strings.ReplaceAll(command, ":4222", ":"+port)
		switch {
		case strings.HasPrefix(command, "concur-hub"):
			s.beside(nil, command+" --listen 127.0.0.1:"+port)
		case strings.HasPrefix(command, "concur work"):
			s.beside(nil, command)
		default:
			accepting(t, "127.0.0.1:"+port)
			s.run(command + " --quiet")
		}
	}
	s.checkHub("runs")
}

func accepting(t *testing.T, address string) {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		c, err := net.Dial("tcp", address)
		if err == nil {
			c.Close()
			return
		}
		if time.Now().After(end) {
			t.Fatal(err)
		}
	}
}

// A hub and two hosts: each host is a network namespace with a link of its own.
func TestMachinesTwoHosts(t *testing.T) {
	s := newHubShop(t)
	hosts, address := hosts(t, 2)
	port := portOf(t)
	at := strings.NewReplacer("DNS:hub.example.com", "IP:"+address, "hub.example.com:4222", address+":"+port,
		"0.0.0.0:4222", "0.0.0.0:"+port)
	for _, command := range commands(machinesPage(t, "## A hub and two hosts")[0]) {
		command = at.Replace(command)
		switch {
		case strings.HasPrefix(command, "concur-hub"):
			s.beside(nil, command)
			accepting(t, address+":"+port)
		case strings.HasPrefix(command, "concur work"):
			s.beside([]string{"ip", "netns", "exec", hosts[0]}, command)
			hosts = hosts[1:]
		case strings.HasPrefix(command, "concur run"):
			s.run(command + " --quiet")
		default:
			s.run(command)
		}
	}
	if len(hosts) > 0 {
		t.Errorf("%d hosts have no worker", len(hosts))
	}
	s.checkHub("runs")
}

// hosts makes network namespaces, each with a link to an address of this machine. The test is skipped if it may not.
func hosts(t *testing.T, n int) (names []string, address string) {
	t.Helper()
	if _, err := exec.LookPath("ip"); err != nil || os.Geteuid() != 0 {
		t.Skip("network namespaces need root and the program ip")
	}
	ip := func(args ...string) error {
		out, err := exec.Command("ip", args...).CombinedOutput()
		if err != nil {
			return fmt.Errorf("ip %s: %w: %s", strings.Join(args, " "), err, out)
		}
		return nil
	}
	id := os.Getpid() % 50_000
	bridge := fmt.Sprint("cb", id)
	address = fmt.Sprintf("198.18.%d.1", id%250)
	if err := ip("link", "add", bridge, "type", "bridge"); err != nil {
		t.Skip("network namespaces need more rights: ", err)
	}
	t.Cleanup(func() { _ = ip("link", "del", bridge) })
	for i := range n {
		name, here, there := fmt.Sprintf("concur-%d-%d", id, i), fmt.Sprintf("ch%d-%d", id, i), fmt.Sprintf("ct%d-%d", id, i)
		if err := ip("netns", "add", name); err != nil {
			t.Skip("network namespaces need more rights: ", err)
		}
		t.Cleanup(func() { _ = ip("netns", "del", name) })
		for _, args := range [][]string{
			{"link", "add", here, "type", "veth", "peer", "name", there},
			{"link", "set", there, "netns", name},
			{"link", "set", here, "master", bridge, "up"},
			{"-n", name, "addr", "add", fmt.Sprintf("198.18.%d.%d/24", id%250, i+2), "dev", there},
			{"-n", name, "link", "set", there, "up"},
			{"-n", name, "link", "set", "lo", "up"},
		} {
			if err := ip(args...); err != nil {
				t.Skip(err)
			}
		}
		names = append(names, name)
	}
	for _, args := range [][]string{{"addr", "add", address + "/24", "dev", bridge}, {"link", "set", bridge, "up"}} {
		if err := ip(args...); err != nil {
			t.Skip(err)
		}
	}
	return names, address
}

// Fields of the manifests on the page, by the API of Kubernetes 1.30. Others are refused.
type (
	kubeObject struct {
		APIVersion string `yaml:"apiVersion"`
		Kind       string
		Metadata   metadata
	}
	metadata struct {
		Name   string
		Labels map[string]string
	}
	claim struct {
		kubeObject `yaml:",inline"`
		Spec       struct {
			AccessModes []string `yaml:"accessModes"`
			Resources   struct{ Requests map[string]string }
		}
	}
	service struct {
		kubeObject `yaml:",inline"`
		Spec       struct {
			Selector map[string]string
			Ports    []struct{ Port int }
		}
	}
	deployment struct {
		kubeObject `yaml:",inline"`
		Spec       struct {
			Replicas int
			Strategy struct{ Type string }
			Selector struct {
				MatchLabels map[string]string `yaml:"matchLabels"`
			}
			Template podTemplate
		}
	}
	batchJob struct {
		kubeObject `yaml:",inline"`
		Spec       struct {
			BackoffLimit   *int   `yaml:"backoffLimit"`
			CompletionMode string `yaml:"completionMode"`
			Completions    int
			Parallelism    int
			Template       podTemplate
		}
	}
	podTemplate struct {
		Metadata metadata
		Spec     struct {
			RestartPolicy   string `yaml:"restartPolicy"`
			GracePeriod     int    `yaml:"terminationGracePeriodSeconds"`
			SecurityContext struct {
				FSGroup int `yaml:"fsGroup"`
			} `yaml:"securityContext"`
			Containers []podContainer
			Volumes    []volume
		}
	}
	podContainer struct {
		Name, Image string
		WorkingDir  string `yaml:"workingDir"`
		Command     []string
		Ports       []struct {
			ContainerPort int `yaml:"containerPort"`
		}
		ReadinessProbe struct {
			TCPSocket struct{ Port int } `yaml:"tcpSocket"`
		} `yaml:"readinessProbe"`
		EnvFrom []struct {
			SecretRef struct{ Name string } `yaml:"secretRef"`
		} `yaml:"envFrom"`
		VolumeMounts []struct {
			Name      string
			MountPath string `yaml:"mountPath"`
			ReadOnly  bool   `yaml:"readOnly"`
		} `yaml:"volumeMounts"`
	}
	volume struct {
		Name                  string
		PersistentVolumeClaim struct {
			ClaimName string `yaml:"claimName"`
		} `yaml:"persistentVolumeClaim"`
		Secret struct {
			SecretName string `yaml:"secretName"`
			Items      []struct{ Key, Path string }
		}
		ConfigMap struct{ Name string } `yaml:"configMap"`
		EmptyDir  *struct{}             `yaml:"emptyDir"`
	}
)

// manifests reads manifests strictly, and returns their pods by kind and name.
func manifests(t *testing.T, text string) (pods map[string]podTemplate, names map[string]bool) {
	t.Helper()
	pods, names = map[string]podTemplate{}, map[string]bool{}
	documents := yaml.NewDecoder(strings.NewReader(text))
	for {
		var raw yaml.Node
		if err := documents.Decode(&raw); err == io.EOF {
			return pods, names
		} else if err != nil {
			t.Fatal(err)
		}
		var o kubeObject
		if err := raw.Decode(&o); err != nil {
			t.Fatal(err)
		}
		strict := func(v any) {
			t.Helper()
			one, err := yaml.Marshal(&raw)
			if err != nil {
				t.Fatal(err)
			}
			d := yaml.NewDecoder(bytes.NewReader(one))
			d.KnownFields(true)
			if err := d.Decode(v); err != nil {
				t.Fatalf("%s %s: %v", o.Kind, o.Metadata.Name, err)
			}
		}
		name := o.Kind + " " + o.Metadata.Name
		if o.Metadata.Name == "" || names[name] {
			t.Errorf("%s: no name of its own", name)
		}
		names[name] = true
		switch o.APIVersion + " " + o.Kind {
		case "v1 PersistentVolumeClaim":
			strict(&claim{})
		case "v1 Service":
			strict(&service{})
		case "apps/v1 Deployment":
			var d deployment
			strict(&d)
			pods[name] = d.Spec.Template
			if diff := cmp.Diff(d.Spec.Selector.MatchLabels, d.Spec.Template.Metadata.Labels); diff != "" {
				t.Errorf("%s does not select its pods: %s", name, diff)
			}
		case "batch/v1 Job":
			var j batchJob
			strict(&j)
			pods[name] = j.Spec.Template
		default:
			t.Errorf("unknown kind %s of %s", o.Kind, o.APIVersion)
		}
	}
}

// The manifests of the page are read strictly, what they name exists, and the commands of their containers make a run.
func TestMachinesHubOnKubernetes(t *testing.T) {
	s := newHubShop(t)
	blocks := machinesPage(t, "## A hub on Kubernetes")
	secrets := blocks[1]
	pods, names := manifests(t, blocks[2])
	for _, m := range regexp.MustCompile(`kubectl create (secret \w+|configmap) (\S+)`).FindAllStringSubmatch(secrets, -1) {
		names[strings.Fields(m[1])[0]+" "+m[2]] = true
	}
	for name, pod := range pods {
		checkPod(t, name, pod, names)
	}
	if len(pods) != 3 {
		t.Fatalf("%d pods", len(pods))
	}
	port, here := portOf(t), func(path string) string { return filepath.Join(s.folder, path) }
	for line := range strings.Lines(secrets) {
		if strings.HasPrefix(line, "openssl") {
			s.run(strings.ReplaceAll(line, "DNS:hub", "DNS:localhost"))
		}
	}
	at := strings.NewReplacer("/token/token", here("token"), "/tls/tls", here("tls"), "/data", here("data"),
		"/night/queries.yaml", here("queries.yaml"), "0.0.0.0:4222", "127.0.0.1:"+port, "hub:4222", "localhost:"+port)
	command := func(name string) string {
		return at.Replace(strings.Join(pods[name].Spec.Containers[0].Command, " "))
	}
	s.beside(nil, command("Deployment hub"))
	s.beside(nil, command("Deployment workers"))
	s.run(command("Job night"))
	s.checkHub("runs")
}

// checkPod fails the test if a pod mounts or reads something that is not there.
func checkPod(t *testing.T, name string, pod podTemplate, names map[string]bool) {
	t.Helper()
	volumes := map[string]bool{}
	for _, v := range pod.Spec.Volumes {
		volumes[v.Name] = true
		for kind, of := range map[string]string{"PersistentVolumeClaim": v.PersistentVolumeClaim.ClaimName,
			"secret": v.Secret.SecretName, "configmap": v.ConfigMap.Name} {
			if of != "" && !names[kind+" "+of] {
				t.Errorf("%s: there is no %s %s", name, kind, of)
			}
		}
	}
	for _, c := range pod.Spec.Containers {
		for _, m := range c.VolumeMounts {
			if !volumes[m.Name] {
				t.Errorf("%s: there is no volume %s", name, m.Name)
			}
		}
		for _, e := range c.EnvFrom {
			if !names["secret "+e.SecretRef.Name] {
				t.Errorf("%s: there is no secret %s", name, e.SecretRef.Name)
			}
		}
		for _, word := range c.Command {
			if dir := filepath.Dir(word); strings.HasPrefix(word, "/") && dir != "/" && !mounts(c, dir) {
				t.Errorf("%s: nothing is mounted at %s", name, dir)
			}
		}
	}
}

func mounts(c podContainer, dir string) bool {
	for _, m := range c.VolumeMounts {
		if m.MountPath == dir {
			return true
		}
	}
	return false
}
