# An image of concur, built from this checkout: docker build --tag concur .
# make image makes the same one without a daemon. The tag of Go is that of go.mod.
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=devel
ARG COMMIT=unknown
RUN CGO_ENABLED=0 go build -trimpath -tags urfave_cli_no_docs \
      -ldflags "-s -w -X main.version=${VERSION} -X main.commit=${COMMIT}" -o /out/usr/local/bin/concur ./cmd/concur \
  && mkdir -p /own/work /own/home/concur /out/tmp && chmod 1777 /out/tmp

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY --from=build /out /
COPY --from=build --chown=65532:65532 /own /
ENV PATH=/usr/local/bin HOME=/home/concur
USER 65532:65532
WORKDIR /work
ENTRYPOINT ["/usr/local/bin/concur"]
