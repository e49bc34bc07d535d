#!/bin/sh
# Checks the film and renders it to film.mp4. Options are passed on: ./render.sh --set headline="Hello" --draft
set -eu
cd "$(dirname "$0")"
rondo check composition.json
rondo render composition.json -o film.mp4 "$@"
