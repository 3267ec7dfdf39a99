#!/usr/bin/env bash
# Builds the release: an archive for each of six targets with the binary, the completions,
# README, LICENSE and the licences of the modules that are linked in, and their checksums.
set -euo pipefail
out=dist tags=urfave_cli_no_docs
rm -rf "$out"
mkdir -p "$out/common/completions"
host=$(mktemp)
go build -tags "$tags" -o "$host" ./cmd/concur
"$host" completion bash > "$out/common/completions/concur.bash"
"$host" completion zsh > "$out/common/completions/_concur"
"$host" completion fish > "$out/common/completions/concur.fish"
rm "$host"
cp README.md LICENSE "$out/common"
go list -tags "$tags" -deps -f '{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}' ./cmd/concur | sort -u |
  while read -r path version dir; do
    license=$(find "$dir" -maxdepth 1 -iname 'licen[cs]e*' -o -maxdepth 1 -iname 'copying*' -o -maxdepth 1 -iname 'unlicen[cs]e*' | sort | head -1)
    [ -n "$license" ] || { echo "dist: $path has no licence file in $dir" >&2; exit 1; }
    printf '==== %s %s\n\n' "$path" "$version"
    cat "$license"
    echo
  done > "$out/common/THIRD-PARTY-LICENSES.txt"
for target in linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64; do
  os=${target%/*} arch=${target#*/} name=concur-$VERSION-${target/\//-}
  mkdir "$out/$name"
  cp -r "$out/common/." "$out/$name"
  binary=concur
  [ "$os" = windows ] && binary=concur.exe
  CGO_ENABLED=0 GOOS=$os GOARCH=$arch go build -trimpath -tags "$tags" -ldflags "$LDFLAGS" -o "$out/$name/$binary" ./cmd/concur
  tar -C "$out" -czf "$out/$name.tar.gz" "$name"
  rm -r "${out:?}/$name"
done
rm -r "$out/common"
cd "$out" && sha256sum -- *.tar.gz > SHA256SUMS
