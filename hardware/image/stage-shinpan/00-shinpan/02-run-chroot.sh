#!/bin/bash -e
# pi-gen, inside the image: the installer that everybody uses. The service starts with the machine.
/root/shinpan-release/install.sh --no-start
rm -rf /root/shinpan-release
