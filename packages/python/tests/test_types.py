"""The types of the package, as mypy sees them in the programs of its users."""

import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap
import unittest

HERE = pathlib.Path(__file__).resolve().parent

RIGHT = """
    from typing import Optional

    from rondo import AsyncRondo, Film, Rondo

    film = Film(width=1080, height=1080)
    film.text("Hello", start=0, durationInFrames=60, styles={"fontSize": "48px", "animation": {"enter": "fade"}})
    film.effect("snow").sticker("sale", category="Discounts").add("text", content="Any type")
    client = Rondo(api_key="rnd_1")
    created = client.renders.create(composition=film, output={"format": "mp4"}, width=320, metadata={"order": "7"}, webhook_url=None)
    job = client.renders.wait(created["jobId"], lambda job: print(job["progressPercentage"]))
    url: Optional[str] = job["outputUrl"]
    for other in client.renders.list(status="COMPLETED", fields=["jobId", "status"], limit=50):
        print(other["status"])
    client.renders.download(job, "film.mp4")
    client.renders.download(job["outputs"][1], "film.jpg")
    batch = client.batches.create([{"replacements": {"quote": "Hi"}}], template_id="tpl_quote_card", draft=True)
    client.batches.create(csv=b"quote,day\\nHi,1", template_id="tpl_quote_card")
    failed: int = client.batches.wait(batch["batchId"], lambda it: print(it["counts"]["completed"]), timeout=600)["counts"]["failed"]
    for other in client.batches.renders(batch["batchId"], fields="jobId,outputUrl"):
        print(other["outputUrl"])
    client.previews.create(composition=film, width=320)
    client.ai.voiceover("Hello", format="mp3")
    client.ai.captions(upload_id="upl_1", language="en")
    client.stock.search("sea", provider="pexels", kind="video", page=2)
    client.stock.add("1", provider="pexels", kind="video")
    client.brand.set(logo="upl_1", colors=[{"name": "Accent", "value": "#7c3aed"}])
    client.uploads.list(kind="all", search="logo").all()
    client.templates.list(limit=50).first_page()
    client.projects.list(dynamic=True)
    client.account.usage(from_="2026-01-01", group_by="day")
    client.import_film(document={}, from_="shotstack")
    client.render(template_id="tpl_quote_card", replacements={"quote": "Less is more."}, output="film.mp4")

    async def asynchronous() -> None:
        async with AsyncRondo(api_key="rnd_1") as client:
            await client.render(composition=film, output="film.mp4", draft=True)
            batch = await client.batches.create(csv="quote\\nHi", template_id="tpl_quote_card")
            async for other in client.batches.renders(batch["batchId"]):
                print(other["status"])
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
    'client.renders.create(widht=3)': "widht",
    'client.renders.create(width="3")': "str",
    'client.render(metdata={})': "metdata",
    'client.renders.list(statsu="X")': "statsu",
    'client.renders.list(status="DONE")': "Literal|str",
    'client.batches.create([{"replacments": {}}])': "replacments|BatchSet",
    'client.batches.create(csv="quote", width=3)': "overload",
    'client.batches.renders("bat_1", feilds="jobId")': "feilds",
    'client.previews.create(heigth=3)': "heigth",
    'client.ai.captions(uploadid="upl_1")': "uploadid",
    'client.uploads.list(kind="image")': "image",
    'client.projects.list(serach="x")': "serach",
    'client.account.usage(form="2026-01-01")': "form",
    'client.import_film(from_="shotstack")': "document",
}

#: mypy before 1.7 knows `**fields: Unpack[…]` only with this option.
VERSION = re.search(r"\d+\.\d+", subprocess.run([sys.executable, "-m", "mypy", "--version"], capture_output=True, text=True).stdout)
UNPACK = ["--enable-incomplete-feature=Unpack"] if VERSION and tuple(map(int, VERSION[0].split("."))) < (1, 7) else []


class TypesTest(unittest.TestCase):
    def mypy(self, *arguments, program=""):
        with tempfile.TemporaryDirectory(prefix="rondo-types-") as folder:
            file = pathlib.Path(folder, "program.py")
            file.write_text(textwrap.dedent(program))
            command = [sys.executable, "-m", "mypy", "--no-color-output", "--cache-dir", f"{folder}/cache", *UNPACK, *arguments]
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
