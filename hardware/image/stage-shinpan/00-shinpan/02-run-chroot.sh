#!/bin/bash -e
# pi-gen, inside the image: the installer that everybody uses. The service starts with the machine.
/opt/shinpan-release/install.sh --no-start
rm -rf /opt/shinpan-release
