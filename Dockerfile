# Builds Rondo from source, and makes an image of the program and what it needs at run time:
#
#   docker build -t rondo .
#   docker run --read-only --tmpfs /tmp -p 8080:8080 -v rondo:/var/lib/rondo rondo
#
# packaging/Containerfile makes an image of a Debian package that is built already (scripts/release).
#
# The image contains Debian's FFmpeg with libx264, which is under the GPL: see packaging/NOTICE-GPL.txt before you distribute it.

FROM debian:12-slim AS build
WORKDIR /src

# Compilers, FFmpeg's headers, Rust and Node. Each step copies only what it reads, so that a change of the code repeats the last one alone.
COPY Cargo.toml ./
COPY scripts/machine.sh scripts/setup scripts/
RUN scripts/setup packages

# Fonts and the engines of transcription.
COPY assets/fonts assets/fonts
COPY scripts/fonts scripts/speech scripts/
RUN scripts/fonts && scripts/speech

COPY . .
RUN --mount=type=cache,target=/root/.cargo/registry --mount=type=cache,target=/src/target \
  scripts/web \
  && scripts/player \
  && cargo build --release --locked -p rondo-cli \
  && packaging/layout target/release/rondo /rondo

FROM debian:12-slim
LABEL org.opencontainers.image.title="Rondo" \
  org.opencontainers.image.description="Renders videos from JSON. Contains FFmpeg and libx264 under the GPL: /usr/local/share/doc/rondo/NOTICE-GPL.txt" \
  org.opencontainers.image.licenses="(MIT OR Apache-2.0) AND GPL-2.0-or-later"

# The libraries of FFmpeg that the program loads, and the speech engines. SOURCES.txt names the source package and version of every
# package in the image, which is what an offer of source code needs.
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates espeak-ng libavcodec59 libavformat59 libavutil57 libflite1 \
    libpocketsphinx3 libswresample4 libswscale6 pocketsphinx-en-us \
  && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/log/apt /var/log/dpkg.log \
  && mkdir -p /usr/local/share/doc/rondo \
  && dpkg-query --show --showformat='${source:Package} ${source:Version}\n' | sort -u >/usr/local/share/doc/rondo/SOURCES.txt \
  && useradd --uid 10001 --user-group --home-dir /var/lib/rondo --shell /usr/sbin/nologin rondo \
  && install -d -m 0700 -o rondo -g rondo /var/lib/rondo

COPY packaging/NOTICE-GPL.txt /usr/local/share/doc/rondo/
COPY packaging/healthcheck /usr/local/bin/rondo-healthcheck
COPY --from=build /rondo/share /usr/local/share
COPY --from=build /rondo/bin /usr/local/bin

# As a number, so that Kubernetes can tell that it is not root. Nothing but the data folder and /tmp is written.
USER 10001:10001
WORKDIR /var/lib/rondo
ENV HOME=/var/lib/rondo RONDO_DATA=/var/lib/rondo RONDO_LISTEN=0.0.0.0:8080
VOLUME /var/lib/rondo
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=10s --start-period=60s --retries=6 CMD ["rondo-healthcheck"]
ENTRYPOINT ["rondo"]
CMD ["serve"]
