"""The types of the package, as mypy sees them in the programs of its users."""

import pathlib
import subprocess
import sys
import tempfile
import textwrap
import unittest

HERE = pathlib.Path(__file__).resolve().parent

RIGHT = """
    from rondo import AsyncRondo, Film, Rondo

    film = Film(width=1080, height=1080)
    film.text("Hello", start=0, durationInFrames=60, styles={"fontSize": "48px", "animation": {"enter": "fade"}})
    film.effect("snow").sticker("sale", category="Discounts").add("text", content="Any type")
    client = Rondo(api_key="rnd_1")
    created = client.renders.create(composition=film, output={"format": "mp4"}, metadata={"order": "7"})
    job = client.renders.wait(created["jobId"], lambda job: print(job["progressPercentage"]))
    url: str | None = job["outputUrl"]
    for other in client.renders.list(status="COMPLETED"):
        print(other["status"])
    client.render(template_id="tpl_quote_card", replacements={"quote": "Less is more."}, output="film.mp4")

    async def asynchronous() -> None:
        async with AsyncRondo(api_key="rnd_1") as client:
            await client.render(composition=film, output="film.mp4")
"""

#: Lines with a mistake, and what is said of each.
WRONG = {
    'film.effect("snowfall")': "snowfall",
    'film.text("Hello", styles={"animatoin": {}})': "TextStyles",
    'film.text("Hello", strat=3)': "strat",
    'film.sticker("sale", category="Discount")': "Discount",
    'client.renders.create(output={"fromat": "mp4"})': "Output",
    'client.renders.create(output={"format": "mp5"})': "Output|mp5",
    'client.renders.get(3)': "int",
    'job["outputURL"]': "outputURL",
}


class TypesTest(unittest.TestCase):
    def mypy(self, *arguments, program=""):
        with tempfile.TemporaryDirectory(prefix="rondo-types-") as folder:
            file = pathlib.Path(folder, "program.py")
            file.write_text(textwrap.dedent(program))
            command = [sys.executable, "-m", "mypy", "--no-color-output", "--cache-dir", f"{folder}/cache", *arguments]
            command += [file] if program else []
            run = subprocess.run(command, cwd=folder, env={"MYPYPATH": HERE.parent / "src"}, capture_output=True, text=True)
        self.assertIn(run.returncode, (0, 1), run.stdout + run.stderr)
        return run.stdout

    def test_the_package_has_no_errors_of_types(self):
        self.assertRegex(self.mypy("-p", "rondo"), "^Success")

    def test_a_correct_program_has_no_errors_of_types(self):
        self.assertRegex(self.mypy("--strict", "--follow-imports=silent", program=RIGHT), "^Success")

    def test_misspelt_fields_and_names_are_errors_in_their_lines(self):
        program = textwrap.dedent(RIGHT) + "\n".join(WRONG)
        found = self.mypy("--follow-imports=silent", program=program)
        first = len(program.splitlines()) - len(WRONG) + 1
        for line, (statement, words) in enumerate(WRONG.items(), first):
            with self.subTest(statement):
                self.assertRegex(found, rf"(?m)^program\.py:{line}: error: .*({words})")


if __name__ == "__main__":
    unittest.main()
