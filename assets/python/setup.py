"""Builds libisogloss from this checkout and includes it in the package.
Writes only to the build directory of make (BUILD, by default build)."""

import atexit
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

checkout = pathlib.Path(__file__).resolve().parents[2]
header = checkout / "include" / "isogloss.h"
if not header.exists():
    raise SystemExit("the library is built from a checkout of isogloss: "
                     "pip install ./assets/python")
version = re.search('ISOGLOSS_VERSION +"(.*)"', header.read_text(encoding="utf-8"))[1]
scratch = tempfile.mkdtemp()
atexit.register(shutil.rmtree, scratch, ignore_errors=True)


class Build(build_py):
    def run(self):
        super().run()
        # Relative, as make has it: flags with another path would compile everything again.
        build = checkout / os.environ.get("BUILD", "build")
        build = pathlib.Path(os.path.relpath(build, checkout))
        subprocess.run(["make", "-C", checkout, f"-j{os.cpu_count() or 1}", f"BUILD={build}",
                        "shared"], check=True)
        for name in ("libisogloss.so", "libisogloss.dylib"):
            if (checkout / build / name).exists():
                shutil.copy(checkout / build / name,
                            pathlib.Path(self.build_lib) / "isogloss" / name)


class Wheel(bdist_wheel):
    def get_tag(self):
        """Any Python 3: ctypes uses no interface of an interpreter."""
        return ("py3", "none", super().get_tag()[2])


class Binary(Distribution):
    """The package depends on the platform."""

    def has_ext_modules(self):
        return True


setup(version=version, cmdclass={"build_py": Build, "bdist_wheel": Wheel},
      distclass=Binary,
      options={"egg_info": {"egg_base": scratch}, "build": {"build_base": scratch}})
