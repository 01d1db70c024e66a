# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds the mpirun that belongs to a program."""
import os
import shutil
import subprocess


# mpirun looks up the machine's name. Where /etc/hosts lacks the name, this ends the wait for a name server after a second, not
# after five.
os.environ.setdefault("RES_OPTIONS", "timeout:1 attempts:1")


def launcher(program):
    """The mpirun of the MPI that it is linked with, as root too and with more processes than processors; None if there
    is none."""
    linked = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    if "libmpi" not in linked:
        return None
    mpich = "libmpich" in linked
    found = shutil.which("mpirun.mpich" if mpich else "mpirun.openmpi") or shutil.which("mpirun")
    root = [] if mpich or os.geteuid() else ["--allow-run-as-root"]
    return found and [found] + ([] if mpich else [*root, "--oversubscribe"])
