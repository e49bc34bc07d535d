"""deploy/tools/check.py WORK: checks the compose file, the rendered chart (WORK/charts) and the dashboard, and that the settings and metrics
in them exist. Writes what others check: WORK/keda.json and WORK/queries.sql."""

import json
import re
import sys
import tomllib
from importlib.metadata import distribution
from pathlib import Path

import jsonschema
import kubernetes_validate
import yaml

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
WORK = Path(sys.argv[1])
KUBERNETES = "1.35"
# Variables of the program that are no settings.
NO_SETTINGS = {"RONDO_FONT_DIR", "RONDO_NEW_MASTER_KEY", "RONDO_SHARE"}
# What the chart sets itself.
CHART_SETS = {
    "listen", "data", "public-url", "files", "proxy-files", "role", "workers", "database-url", "master-key", "metrics-listen",
}  # fmt: skip

problems = []


def main():
    settings, aws = read_settings()
    check_image(ROOT / "Dockerfile", ROOT)
    check_image(ROOT / "packaging/Containerfile", None)
    compose = check_compose()
    objects = check_chart()
    check_schema_of_values(settings)
    check_settings(settings, aws, compose, objects)
    queries = check_dashboard()
    for document in objects:
        for trigger in document.get("spec", {}).get("triggers", []):
            queries.append(trigger["metadata"]["query"])
    (WORK / "queries.sql").write_text("".join(" ".join(query.split()) + ";\n" for query in queries))
    check_words()
    for problem in problems:
        print(problem, file=sys.stderr)
    sys.exit(1 if problems else 0)


def say(text):
    print(text, file=sys.stderr)


def expect(condition, problem):
    if not condition:
        problems.append(problem)


def read_settings():
    """The names of the table SETTINGS, and the AWS_* variables that the program reads."""
    source = (ROOT / "crates/service/src/settings/table.rs").read_text()
    table = source.split("pub const SETTINGS", 1)[1].split("\n];", 1)[0]
    names = set(re.findall(r'\brow\(\s*"([a-z0-9-]+)"', table))
    expect(len(names) == len(re.findall(r"\brow\(", table)), "A row of SETTINGS cannot be read.")
    reading = (ROOT / "crates/service/src/settings/read.rs").read_text()
    variables = reading.split("const AWS_VARIABLES", 1)[1].split("];", 1)[0]
    aws = {f"AWS_{name.upper()}" for name in re.findall(r'"([a-z0-9_]+)"', variables)}
    expect(aws, "AWS_VARIABLES cannot be read.")
    return names, aws


def check_image(file, context):
    """Base images, user and start of an image, and the files that it takes from `context`."""
    name = file.relative_to(ROOT)
    text = re.sub(r"^#.*\n", "", file.read_text(), flags=re.M).replace("\\\n", " ")
    lines = [line.split(None, 1) for line in text.splitlines() if line.strip()]
    stages = []
    for word, rest in lines:
        if word == "FROM":
            stages.append({"FROM": [rest]})
        else:
            stages[-1].setdefault(word, []).append(rest.strip())
    built = {stage["FROM"][0].split(" AS ")[1] for stage in stages if " AS " in stage["FROM"][0]}
    for stage in stages:
        image = stage["FROM"][0].split()[0]
        expect("." not in image.split("/")[0].split(":")[0], f"{name} names the host of a registry.")
        expect(":" in image, f"{name}: {image} has no version.")
        for copy in stage.get("COPY", []):
            flags = [part for part in copy.split() if part.startswith("--")]
            for source in [part for part in copy.split()[:-1] if part not in flags] if context and not flags else []:
                expect((context / source).exists(), f"{name}: there is no {source}.")
            for flag in flags:
                expect(flag.removeprefix("--from=") in built, f"{name}: {flag} names no stage.")
    last = stages[-1]
    expect(last.get("USER", ["root"])[-1].split(":")[0] not in ("root", "0"), f"{name} runs as root.")
    expect(last.get("ENTRYPOINT") == ['["rondo"]'] and last.get("CMD") == ['["serve"]'], f"{name} does not start the service.")
    expect(last.get("VOLUME") == ["/var/lib/rondo"], f"{name} has no volume for the data.")
    if context:
        expect("HEALTHCHECK" in last and "LABEL" in last, f"{name} has no health check or no labels.")
    say(f"{name}: {len(stages)} stages")


def check_compose():
    text = (DEPLOY / "compose.yaml").read_text()
    compose = yaml.safe_load(text)
    vendored = "check_jsonschema/builtin_schemas/vendor/compose-spec.json"
    schema = json.loads(Path(distribution("check-jsonschema").locate_file(vendored)).read_text())
    validator = jsonschema.validators.validator_for(schema)(schema)
    for error in validator.iter_errors(compose):
        problems.append(f"compose.yaml: {error.json_path}: {error.message}")
    example = dict(line.split("=", 1) for line in (DEPLOY / "env.example").read_text().splitlines() if re.match(r"[A-Z]", line))
    used = set(re.findall(r"\$\{([A-Z0-9_]+)", text))
    expect(used == set(example), f"compose.yaml and env.example name other variables: {sorted(used ^ set(example))}")
    for name in re.findall(r"\$\{([A-Z0-9_]+):\?", text):
        expect(example.get(name) == "", f"env.example has a value for the secret {name}.")
    services = compose["services"]
    for name, service in services.items():
        expect(service.get("read_only") is True, f"{name} can write to its root file system.")
        expect(service.get("cap_drop") == ["ALL"], f"{name} keeps capabilities.")
        expect("no-new-privileges:true" in service.get("security_opt", []), f"{name} lacks no-new-privileges.")
        expect("privileged" not in service, f"{name} is privileged.")
        # The image of the service has a user of its own.
        is_rondo = service["image"] == "${IMAGE:-rondo}"
        expect(is_rondo or "user" in service, f"{name} has no user.")
        expect(name == "s3-volumes" or service.get("user") not in ("root", "0"), f"{name} runs as root.")
        expect("." not in service["image"].split("/")[0].split(":")[0], f"{name} names the host of a registry.")
        expect(service["restart"] != "unless-stopped" or "healthcheck" in service, f"{name} has no health check.")
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            exists = (DEPLOY / source).exists() if source.startswith("./") else source in compose["volumes"]
            expect(exists, f"{name}: there is no volume {source}.")
        for network in service.get("networks", []):
            expect(network in compose["networks"], f"{name}: there is no network {network}.")
        for other, wait in service.get("depends_on", {}).items():
            expect(other in services, f"{name}: there is no service {other}.")
            healthy = wait["condition"] != "service_healthy" or "healthcheck" in services[other]
            expect(healthy, f"{name} waits for the health of {other}, which has no check.")
    garage = tomllib.loads((DEPLOY / "garage.toml").read_text())
    region = services["api"]["environment"]["AWS_REGION"]
    expect(garage["s3_api"]["s3_region"] == region, "garage.toml and compose.yaml name different regions.")
    say(f"compose.yaml: {len(services)} services, valid by the schema of the Compose specification")
    return compose


def check_chart():
    objects, keda = [], []
    for file in sorted((WORK / "charts").glob("*.yaml")):
        documents = [document for document in yaml.safe_load_all(file.read_text()) if document]
        objects += documents
        for document in documents:
            name = f"{file.stem}: {document['kind']} {document['metadata']['name']}"
            if document["apiVersion"].startswith("keda.sh/"):
                keda.append(document)
                continue
            try:
                kubernetes_validate.validate(document, KUBERNETES, strict=True)
            except kubernetes_validate.ValidationError as error:
                problems.append(f"{name}: {error.path}: {error.message}")
            if document["kind"] == "Deployment":
                check_pod(name, document)
        kinds = [document["kind"] for document in documents]
        say(f"chart, {file.stem}: {', '.join(kinds)}")
    (WORK / "keda.json").write_text(json.dumps(keda))
    say(f"chart: {len(objects) - len(keda)} objects valid by the schemas of Kubernetes {KUBERNETES}")
    return objects


def check_pod(name, deployment):
    spec = deployment["spec"]
    labels = spec["template"]["metadata"]["labels"]
    for key, value in spec["selector"]["matchLabels"].items():
        expect(labels.get(key) == value, f"{name} does not select its pods.")
    pod = spec["template"]["spec"]
    expect(pod["securityContext"]["runAsNonRoot"] and pod["securityContext"]["runAsUser"] > 0, f"{name} may run as root.")
    expect(pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}, f"{name} lacks RuntimeDefault.")
    volumes = {volume["name"] for volume in pod["volumes"]}
    for container in pod["containers"]:
        security = container["securityContext"]
        expect(security["readOnlyRootFilesystem"] is True, f"{name} can write to its root file system.")
        expect(security["allowPrivilegeEscalation"] is False, f"{name} may gain privileges.")
        expect(security["capabilities"] == {"drop": ["ALL"]}, f"{name} keeps capabilities.")
        expect({"requests", "limits"} <= set(container["resources"]), f"{name} lacks resources.")
        expect(all(mount["name"] in volumes for mount in container["volumeMounts"]), f"{name} mounts what is not there.")
        ports = {port["name"] for port in container["ports"]}
        for probe, path in (("startupProbe", "/healthz"), ("livenessProbe", "/healthz"), ("readinessProbe", "/readyz")):
            asked = container[probe]["httpGet"]
            expect(asked["port"] in ports, f"{name}: {probe} names an unknown port.")
            expect(asked["path"] == path, f"{name}: {probe} does not ask {path}.")
        names = [variable["name"] for variable in container["env"]]
        expect(len(names) == len(set(names)), f"{name} sets a variable twice.")
        for variable in container["env"]:
            expect(isinstance(variable.get("value", ""), str), f"{name}: {variable['name']} is not a text.")
            expect("e+" not in variable.get("value", ""), f"{name}: {variable['name']} is not a whole number.")


def check_schema_of_values(settings):
    schema = json.loads((DEPLOY / "helm/values.schema.json").read_text())
    jsonschema.Draft7Validator.check_schema(schema)
    known = set(schema["definitions"]["setting"]["enum"])
    for name in sorted(known ^ (settings - CHART_SETS)):
        problems.append(f"values.schema.json: the setting {name} is missing or does not exist.")
    values = yaml.safe_load((DEPLOY / "helm/values.yaml").read_text())
    values["publicUrl"], values["files"]["bucket"] = "https://rondo.example.com", "s3://films"
    for error in jsonschema.Draft7Validator(schema).iter_errors(values):
        problems.append(f"values.yaml: {error.json_path}: {error.message}")
    for part in walk(schema["properties"], values):
        problems.append(f"values.yaml: {part} is in the schema only.")
    version = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["version"]
    chart = yaml.safe_load((DEPLOY / "helm/Chart.yaml").read_text())
    expect(chart["appVersion"] == version, f"Chart.yaml: appVersion is not {version}.")


def walk(properties, values, path=""):
    """Paths of the schema that values.yaml does not show."""
    for name, schema in properties.items():
        if name == "global":
            continue
        if name not in values:
            yield path + name
        elif "properties" in schema:
            yield from walk(schema["properties"], values[name], f"{path}{name}.")


def check_settings(settings, aws, compose, objects):
    """Every RONDO_* and AWS_* variable, and every flag of `rondo serve`."""
    variables = {f"RONDO_{name.upper().replace('-', '_')}" for name in settings} | NO_SETTINGS
    seen = set()
    for file in texts():
        for name in re.findall(r"\bRONDO_[A-Z0-9_]+", file.read_text()):
            seen.add(name)
            expect(name in variables, f"{file.relative_to(ROOT)}: there is no setting {name}.")
    containers = [service for service in compose["services"].values() if service["image"] == "${IMAGE:-rondo}"]
    used = [(list(service["environment"]), service["command"]) for service in containers]
    for document in objects:
        if document["kind"] == "Deployment":
            for container in document["spec"]["template"]["spec"]["containers"]:
                used.append(([variable["name"] for variable in container["env"]], container["args"]))
    for names, command in used:
        for name in names:
            seen.add(name)
            expect(name in variables | aws, f"There is no setting {name}.")
        for flag in command:
            known = not flag.startswith("--") or flag.removeprefix("--").split("=")[0] in settings
            expect(known, f"There is no setting {flag}.")
    say(f"settings: {len(seen)} variables exist")


def check_dashboard():
    """Metrics exist. Returns the SQL queries, with the macros of Grafana replaced."""
    source = (ROOT / "crates/service/src/metrics.rs").read_text()
    known = set(re.findall(r"\brondo_[a-z_]+", source))
    known |= {f"{name}_{part}" for name in known for part in ("bucket", "sum", "count")}
    dashboard = json.loads((DEPLOY / "grafana.json").read_text())
    panels = dashboard["panels"]
    expect(len({panel["id"] for panel in panels}) == len(panels), "grafana.json: two panels have the same id.")
    variables = {variable["name"] for variable in dashboard["templating"]["list"]}
    cells, seen, queries = set(), set(), []
    for panel in panels:
        place = panel["gridPos"]
        for x in range(place["x"], place["x"] + place["w"]):
            for y in range(place["y"], place["y"] + place["h"]):
                expect((x, y) not in cells and x < 24, f"grafana.json: {panel['title']} overlaps.")
                cells.add((x, y))
        for target in panel["targets"]:
            expect(target["datasource"]["uid"][2:-1] in variables, f"grafana.json: {panel['title']} has no data source.")
            if "rawSql" in target:
                queries.append(re.sub(r"\$__unixEpoch(From|To)\(\)", "1700000000", target["rawSql"]))
            for name in re.findall(r"\$([a-z]+)", target.get("expr", "")):
                expect(name in variables, f"grafana.json: there is no variable {name}.")
    for name in re.findall(r"\brondo_[a-z_]+", json.dumps(dashboard)):
        seen.add(name)
    for file in texts():
        seen |= set(re.findall(r"\brondo_(?:renders|frames|http|deliveries|queue)_[a-z_]+|\brondo_workers\b", file.read_text()))
    for name in sorted(seen - known):
        problems.append(f"There is no metric {name}.")
    say(f"grafana.json: {len(panels)} panels, {len(seen)} metrics exist")
    return queries


def texts():
    """The files of this folder that people read or use."""
    named = ["compose.yaml", "env.example", "garage.toml", "grafana.json", "README.md"]
    return [DEPLOY / name for name in named] + [file for file in (DEPLOY / "helm").rglob("*") if file.is_file() and file.suffix != ".tpl"]


def check_words():
    for file in texts():
        for number, line in enumerate(file.read_text().splitlines(), 1):
            expect(len(line) <= 400, f"{file.relative_to(ROOT)}:{number} is too long.")
            expect(line == line.rstrip(), f"{file.relative_to(ROOT)}:{number} ends with a space.")


main()
