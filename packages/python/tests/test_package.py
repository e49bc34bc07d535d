"""The package as pip installs it from its wheel, without a network."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(HERE))

from test_client import Service  # noqa: E402


class PackageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="rondo-package-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        # What an earlier build left.
        stale = HERE.parent / "build/lib/rondo/_gone.py"
        stale.parent.mkdir(parents=True, exist_ok=True)
        stale.touch()
        cls.addClassCleanup(os.removedirs, stale.parent)
        cls.addClassCleanup(stale.unlink)
        subprocess.run([HERE.parent / "pack", cls.folder], check=True)
        [cls.wheel] = cls.folder.glob("*.whl")

    def test_the_installed_package_makes_the_film_of_its_readme(self):
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        run = lambda *command: subprocess.run(command, cwd=self.folder, env=environment, check=True)  # noqa: E731
        # httpx is a package of the system.
        run(sys.executable, "-m", "venv", "--system-site-packages", "venv")
        python = self.folder / "venv/bin/python"
        run(python, "-m", "pip", "install", "--quiet", "--no-index", "--disable-pip-version-check", self.wheel)
        example = re.search(r"^```python\n(.*?)^```", (HERE.parent / "README.md").read_text(), re.M | re.S)[1]
        service = Service()
        self.addCleanup(service.stop)
        run(python, "-c", example.replace("rnd_…", service.api_key).replace("http://127.0.0.1:8080", service.url))
        self.assertEqual((self.folder / "film.mp4").read_bytes()[4:8], b"ftyp")

    def test_the_wheel_contains_the_modules_and_the_licences_and_nothing_else(self):
        with zipfile.ZipFile(self.wheel) as wheel:
            names = wheel.namelist()
            for licence in ["LICENSE-MIT", "LICENSE-APACHE"]:
                [name] = [name for name in names if name.endswith(licence)]
                self.assertEqual(wheel.read(name), (ROOT / licence).read_bytes())
        modules = {f"rondo/{path.name}" for path in (HERE.parent / "src/rondo").iterdir() if path.is_file()}
        self.assertEqual({name for name in names if ".dist-info/" not in name}, modules)


if __name__ == "__main__":
    unittest.main()
