package secret_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/internal/secret"
)

// keysOfKinds are made up, in the forms of their vendors. They are put together here, so that no scanner of repositories
// takes them for real ones.
func keysOfKinds() []string {
	a, b := "4fJ8sK2mQ9xT7vB3nW6y", "a1b2c3d4e5f60718293a4b5c6d7e8f90"
	return []string{
		"sk" + "-not-a-key-0123456789abcdef", "sk" + "-proj-" + a, "sk" + "-ant-api03-" + a + a, "sk" + "-or-v1-" + b, "sk" + "-" + b, "gsk" + "_" + a, "xai" + "-" + a, "hf" + "_" + a,
		"ghp" + "_" + a + "AbCd", "github" + "_pat_" + a + "_" + a, "glpat" + "-" + a, "AKIA" + "IOSFODNN7EXAMPLE", "AIza" + "Sy" + b + "x", "xoxb" + "-123456789012-" + a,
		"SG" + "." + a + "." + a, "npm" + "_" + a + "0123456789ab", "r8" + "_" + a, "nvapi" + "-" + a, "pplx" + "-" + a, "tvly" + "-dev-" + a, "csk" + "-" + a,
		"eyJ" + "hbGciOiJIUzI1NiJ9.eyJ" + "zdWIiOiIxMjM0NTY3ODkwIn0." + a, "dop" + "_v1_" + b + b, "lsv2" + "_pt_" + b + "_0123456789", "rk" + "_live_" + a,
	}
}

func TestLikely(t *testing.T) {
	for _, key := range keysOfKinds() {
		for _, text := range []string{key, "--api-key=" + key, "OPENAI_API_KEY=" + key + " python3 a.py", "http://127.0.0.1/" + key + "/v1", "http://h/?k=" + key, `{"token": "` + key + `"}`, "Bearer " + key} {
			if len(secret.Likely(text)) == 0 || strings.Contains(secret.Redact(text), key) {
				t.Errorf("%q holds no likely key: %q", text, secret.Redact(text))
			}
		}
	}
	if got := secret.Likely("Authorization: Basic dXNlcjpwYXNzd29yZA=="); !slices.Equal(got, []string{"dXNlcjpwYXNzd29yZA=="}) {
		t.Errorf("%q", got)
	}
}

// honestTexts are no keys.
var honestTexts = strings.Fields(`
d41d8cd98f00b204e9800998ecf8427e da39a3ee5e6b4b0d3255bfef95601890afd80709 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855 3ea681cf 3ea681cf67843c51a9ee0225641bab5a15713398 0x52908400098527886E0F7030069857D2E4169EE7
cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e
sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 sha1:da39a3ee5e6b4b0d3255bfef95601890afd80709 md5:d41d8cd98f00b204e9800998ecf8427e
sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU= sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC
sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg== h1:3IZOAnD058zZllQTZNBioTlrzrBG/IjpiZ133IEtusM=
python@sha256:0e91e2c2c6d1a1d0a9d6c3d1b0c6a0b1e1d3f6a8b5c4d2e1f0a9b8c7d6e5f4a3 550e8400-e29b-41d4-a716-446655440000 6ba7b810-9dad-11d1-80b4-00c04fd430c8
F47AC10B-58CC-4372-A567-0E02B2C3D479 {550e8400-e29b-41d4-a716-446655440000} urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6 01ARZ3NDEKTSV4RRFFQ69G5FAV
0190163d-8694-739b-aea5-966c26f8ad91 QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi
/usr/lib/python3.12/site-packages/langchain_core/tools/base.py /home/user/projects/2024-11-27-experiment/agents/my_agent_v2.py ./src/main/java/com/example/MyVeryLongClassName2.java
C:\Users\Administrator\AppData\Local\Programs\Python\Python312\python.exe /nix/store/0c0n9mvh4xk6rp1v5q2yfqs8l7gk3z5d-python3-3.12.1/bin/python3
node_modules/.pnpm/@modelcontextprotocol+sdk@1.12.0/node_modules/@modelcontextprotocol/sdk/dist/esm/index.js /var/folders/zz/zyxvpxvq6csfxvn_n0000000000000/T/agent.sock
@modelcontextprotocol/server-filesystem runs/20261127T213151-gold29-1d6612b0 20261127T213156-gold29-e2d2d975 datasets/HotpotQA_dev_distractor_v1.json data/MMLU-Pro-2024-06-01.parquet
meta-llama/Llama-3.3-70B-Instruct-Turbo openai:gpt-4o-mini-2024-07-18 anthropic:claude-3-5-sonnet-20241022 ollama:qwen2.5-coder:7b-instruct-q4_K_M dashscope:qwen3-235b-a22b-thinking-2507
openrouter:nousresearch/hermes-3-llama-3.1-405b:free hf.co/bartowski/Llama-3.2-3B-Instruct-GGUF:Q4_K_M /models/DeepSeek-R1-Distill-Qwen-32B-Q5_K_M.gguf
https://dashscope-intl.aliyuncs.com/compatible-mode/v1 https://generativelanguage.googleapis.com/v1beta/openai http://127.0.0.1:8000/run?version=2 https://my-resource.openai.azure.com/openai/deployments/gpt-4o
--max-old-space-size=4096 --config=./configs/agentV2Final.yaml PYTHONPATH=src/agents:src/tools http://[::1]:11434/v1 s3://bucket-name-1/evals/2024/11/27/run-0042.jsonl
sk-SK sk-learn key-value-store key-findings-2024-summary pk-columns hf_model npm_config_cache fw_rules_v2 AKIA-Tower-2 bearer basic eyJ
concur-offline-reader-0.9.1-linux-amd64.tar.gz gold29-with-answers-and-sources-v3.yaml python3.12-slim-bookworm-20241016 v2.31.0-rc1+build.20241127.g3ea681cf
arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-3-5-sonnet-20241022-v2:0 projects/my-project-123456/locations/us-central1/endpoints/1234567890123456789
`)

func TestHonestTexts(t *testing.T) {
	if len(honestTexts) < 60 {
		t.Fatalf("%d texts", len(honestTexts))
	}
	for _, text := range honestTexts {
		if likely, random := secret.Likely(text), secret.Random(text); len(likely)+len(random) > 0 || secret.Redact(text) != text {
			t.Errorf("%s: likely %q, random %q", text, likely, random)
		}
	}
}

func TestRandom(t *testing.T) {
	for _, text := range []string{"4fJ8sK2mQ9xT7vB3nW6yZ1", "x=Zq8Rk2LmP0aB7nYt3VwE5c", "https://h/aB3dE5fG7hJ9kL1mN3pQ/v1", "wJalrXUtnFEMI0K7MDENG1bPxRfiCY"} {
		if len(secret.Random(text)) != 1 || strings.Contains(secret.Redact(text), secret.Random(text)[0]) {
			t.Errorf("%q: %q", text, secret.Random(text))
		}
	}
}

func TestNamed(t *testing.T) {
	for _, name := range strings.Fields("OPENAI_API_KEY GITHUB_TOKEN MY_KEY APIKEY KEY DB_PASSWORD AWS_SECRET_ACCESS_KEY AWS_ACCESS_KEY_ID SERPER_API_KEY api_key HF_TOKEN GITLAB_PAT CLIENT_SECRET API_KEY_2") {
		if !secret.Named(name) {
			t.Error(name)
		}
	}
	for _, name := range strings.Fields("PATH HOME KEYBOARD MONKEY TOKENIZERS_PARALLELISM SSH_AUTH_SOCK MAX_TOKENS KEY_FILE PASSAGE COMPASS KEYTIMEOUT CONCUR_K") {
		if secret.Named(name) {
			t.Error(name)
		}
	}
}

func TestOfVariables(t *testing.T) {
	got := secret.OfEnvironment([]string{"A_KEY=4fJ8sK2mQ9xT", "B_KEY=not-needed-here", "C=4fJ8sK2mQ9xT8888", "D_TOKEN=short1", "E_KEY=/etc/keys/a.pem", "F_PASSWORD= hunter2hunter2 "})
	if !slices.Equal(got, []string{"4fJ8sK2mQ9xT", "hunter2hunter2"}) {
		t.Errorf("%q", got)
	}
	for _, c := range []struct {
		name, value string
		hidden      bool
	}{
		{"MYK", "sk" + "-not-a-key-0123456789abcdef", true}, {"SEED", "x7y8z9-abc123", true}, {"DB_PASSWORD", "correct horse", true}, {"DSN", "postgres://u:p4ss@db/x", true},
		{"CITY", "Frankfurt", false}, {"DEBUG", "1", false}, {"DATA", "./data/2024", false}, {"URL", "http://127.0.0.1:8000/v1", false}, {"MODE", "production", false}, {"EMPTY", "", false},
		{"URL", "http://127.0.0.1/sk" + "-not-a-key-0123456789abcdef", true},
	} {
		if got := secret.OfVariable(c.name, c.value); (len(got) == 1) != c.hidden {
			t.Errorf("%s=%s: %q", c.name, c.value, got)
		}
	}
}
