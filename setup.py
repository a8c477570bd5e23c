"""What pyproject.toml cannot say: the root is the package ``macla``, but its tools are no modules.

setuptools would ship ``noxfile.py``, which stands in the root, as ``macla.noxfile``.
"""

from setuptools import setup
from setuptools.command.build_py import build_py

TOOLS = {"noxfile", "setup"}
"""Python files of the root that belong to the repository, not to the package."""


class PackageOnly(build_py):
    """Build without the tools of the root."""

    def find_package_modules(self, package, package_dir):
        """Return the modules of a package, without tools."""
        found = super().find_package_modules(package, package_dir)
        return [each for each in found if package != "macla" or each[1] not in TOOLS]


setup(cmdclass={"build_py": PackageOnly})
