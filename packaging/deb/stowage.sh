#!/bin/sh
# `stowage` of the package, with the Node runtime that the service has.
exec /usr/lib/stowage/runtime/node /usr/lib/stowage/service/command.js "$@"
