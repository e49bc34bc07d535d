"""Every operation of the API has a method in both clients, which sends what the OpenAPI document describes."""

import asyncio
import inspect
import json
import operator
import pathlib
import re
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "src"))

import httpx  # noqa: E402

import rondo  # noqa: E402
from rondo._arguments import ARGUMENTS  # noqa: E402

DOCUMENT = json.loads((HERE.parents[2] / "web/openapi/api.json").read_text())

#: A call for each operation.
CALLS = {
    "createRender": lambda client: client.renders.create(template_id="x"),
    "listRenders": lambda client: client.renders.list().first_page(),
    "getRender": lambda client: client.renders.get("x"),
    "deleteRender": lambda client: client.renders.delete("x"),
    "cancelRender": lambda client: client.renders.cancel("x"),
    "followRender": lambda client: client.renders.wait("x"),
    "createBatch": lambda client: client.batches.create([{}], template_id="x"),
    "getBatch": lambda client: client.batches.get("x"),
    "cancelBatch": lambda client: client.batches.cancel("x"),
    "createPreview": lambda client: client.previews.create(template_id="x"),
    "createImport": lambda client: client.import_film(document={}),
    "listTemplates": lambda client: client.templates.list().first_page(),
    "createTemplate": lambda client: client.templates.publish("x", "x"),
    "updateTemplate": lambda client: client.templates.update("x", name="x"),
    "deleteTemplate": lambda client: client.templates.unpublish("x"),
    "listTemplateVariables": lambda client: client.templates.variables("x"),
    "listProjects": lambda client: client.projects.list().first_page(),
    "createProject": lambda client: client.projects.create("x", rondo.Film()),
    "getProject": lambda client: client.projects.get("x"),
    "updateProject": lambda client: client.projects.update("x", name="x", if_match="r1"),
    "deleteProject": lambda client: client.projects.delete("x"),
    "duplicateProject": lambda client: client.projects.duplicate("x"),
    "applyProjectEdits": lambda client: client.projects.apply_edits("x", [{"op": "remove", "id": 1}]),
    "listProjectVersions": lambda client: client.projects.versions("x").first_page(),
    "createProjectVersion": lambda client: client.projects.create_version("x", "x"),
    "getProjectVersion": lambda client: client.projects.get_version("x", "y"),
    "restoreProjectVersion": lambda client: client.projects.restore_version("x", "y"),
    "listProjectVariables": lambda client: client.projects.variables("x"),
    "createVoiceover": lambda client: client.ai.voiceover("x"),
    "createCaptions": lambda client: client.ai.captions(uploadId="x"),
    "listVoices": lambda client: client.ai.voices(),
    "createUpload": lambda client: client.uploads.create("image/png"),
    "putUpload": lambda client: client.uploads.put(b"x", content_type="image/png"),
    "listUploads": lambda client: client.uploads.list().first_page(),
    "listFonts": lambda client: client.uploads.fonts(),
    "deleteUpload": lambda client: client.uploads.delete("x"),
    "listStockProviders": lambda client: client.stock.providers(),
    "searchStock": lambda client: client.stock.search("x", provider="pexels"),
    "addStockItem": lambda client: client.stock.add("x", provider="pexels"),
    "getBrand": lambda client: client.brand.get(),
    "setBrand": lambda client: client.brand.set(colors=[]),
    "createWebhook": lambda client: client.webhooks.create("https://example.com"),
    "listWebhooks": lambda client: client.webhooks.list(),
    "deleteWebhook": lambda client: client.webhooks.delete("x"),
    "updateWebhook": lambda client: client.webhooks.update("x", is_active=True),
    "redeliver": lambda client: client.webhooks.redeliver("x", "y"),
    "listDeliveries": lambda client: client.webhooks.deliveries("x"),
    "testWebhook": lambda client: client.webhooks.test("x"),
    "rotateWebhookSecret": lambda client: client.webhooks.rotate("x"),
    "createDestination": lambda client: client.destinations.create(
        "films", "s3://films", {"accessKeyId": "x", "secretAccessKey": "x"}
    ),
    "listDestinations": lambda client: client.destinations.list(),
    "deleteDestination": lambda client: client.destinations.delete("x"),
    "verifyKey": lambda client: client.account.verify(),
    "getAccount": lambda client: client.account.get(),
    "getUsage": lambda client: client.account.usage(),
    "listTransactions": lambda client: client.account.transactions(),
    "listRegistry": lambda client: client.registry("fonts"),
}

#: The method of each operation that takes arguments.
METHODS = {
    "createRender": "renders.create",
    "listRenders": "renders.list",
    "getRender": "renders.get",
    "createBatch": "batches.create",
    "getBatch": "batches.get",
    "createPreview": "previews.create",
    "createImport": "import_film",
    "listTemplates": "templates.list",
    "createTemplate": "templates.publish",
    "updateTemplate": "templates.update",
    "listProjects": "projects.list",
    "createProject": "projects.create",
    "getProject": "projects.get",
    "updateProject": "projects.update",
    "duplicateProject": "projects.duplicate",
    "applyProjectEdits": "projects.apply_edits",
    "listProjectVersions": "projects.versions",
    "createProjectVersion": "projects.create_version",
    "createVoiceover": "ai.voiceover",
    "createCaptions": "ai.captions",
    "createUpload": "uploads.create",
    "listUploads": "uploads.list",
    "searchStock": "stock.search",
    "addStockItem": "stock.add",
    "setBrand": "brand.set",
    "createWebhook": "webhooks.create",
    "updateWebhook": "webhooks.update",
    "testWebhook": "webhooks.test",
    "listDeliveries": "webhooks.deliveries",
    "createDestination": "destinations.create",
    "getUsage": "account.usage",
    "listRegistry": "registry",
}

#: Operations that take nothing but a path, and an `Idempotency-Key`.
OTHERS = {
    "cancelRender": "renders.cancel",
    "cancelBatch": "batches.cancel",
    "restoreProjectVersion": "projects.restore_version",
    "redeliver": "webhooks.redeliver",
    "rotateWebhookSecret": "webhooks.rotate",
}

OPERATIONS = {
    operation["operationId"]: (method, path, operation)
    for path, methods in DOCUMENT["paths"].items()
    for method, operation in methods.items()
}


def answer(request, sent):
    sent.append(request)
    if request.url.path.endswith("/events"):
        return httpx.Response(200, text='data: {"status": "COMPLETED", "progressPercentage": 100}\n\n\n')
    lists = {name: [] for name in ["variables", "voices", "webhooks", "destinations", "deliveries", "transactions", "providers", "fonts"]}
    data = {"id": "x", "uploadUrl": "https://rondo.test/uploads/x?expires=1&signature=2", **lists}
    return httpx.Response(200, json={"success": True, "data": data})


class OperationsTest(unittest.TestCase):
    def test_every_operation_of_the_document_has_a_method(self):
        self.assertEqual(sorted(CALLS), sorted(OPERATIONS))

    def test_every_operation_is_sent_as_the_document_says(self):
        for name, call in CALLS.items():
            with self.subTest(name):
                sent = []
                transport = httpx.MockTransport(lambda request, sent=sent: (request.read(), answer(request, sent))[1])
                client = httpx.Client(transport=transport)
                call(rondo.Rondo(api_key="rnd_x", base_url="https://rondo.test", http_client=client))
                self.check(name, sent[-1])

    def test_the_asynchronous_client_sends_the_same(self):
        async def run():
            for name, call in CALLS.items():
                sent = []

                async def handle(request, sent=sent):
                    await request.aread()
                    return answer(request, sent)

                client = httpx.AsyncClient(transport=httpx.MockTransport(handle))
                made = call(rondo.AsyncRondo(api_key="rnd_x", base_url="https://rondo.test", http_client=client))
                self.assertTrue(inspect.isawaitable(made), name)
                await made
                with self.subTest(name):
                    self.check(name, sent[-1])

        asyncio.run(run())

    def call(self, name, arguments):
        """The request of the method of an operation, called with the arguments beside those of the path."""
        sent = []
        transport = httpx.MockTransport(lambda request: (request.read(), answer(request, sent))[1])
        client = rondo.Rondo(api_key="rnd_x", base_url="https://rondo.test", http_client=httpx.Client(transport=transport))
        made = operator.attrgetter(METHODS[name])(client)(*["x"] * OPERATIONS[name][1].count("{"), **arguments)
        if isinstance(made, rondo.Pages):
            made.first_page()
        return sent[-1]

    def test_every_argument_is_sent_under_its_name_in_the_api(self):
        # The address of an upload has its query already, and the id of a webhook is the first argument.
        self.assertEqual(set(METHODS), set(ARGUMENTS) - {"putUpload", "deleteWebhook"})
        for name, known in ARGUMENTS.items():
            if name not in METHODS:
                continue
            # Versions are listed page by page only.
            arguments = {key: 1 for key in known if (name, key) != ("listProjectVersions", "cursor")}
            with self.subTest(name):
                request = self.call(name, arguments)
                body = json.loads(request.content) if request.content else {}
                sent = {key: str(value) for key, value in {**dict(request.url.params), **body}.items()}
                self.assertEqual(sent, {known[key]: "1" for key in arguments})

    def test_every_argument_has_a_type(self):
        for name, known in ARGUMENTS.items():
            if name not in METHODS:
                continue
            parameters = inspect.signature(operator.attrgetter(METHODS[name])(rondo.Rondo(api_key="rnd_x"))).parameters
            [*others] = (it for it in parameters.values() if it.kind is it.VAR_KEYWORD)
            unpacked = {"createBatch": "Unpack[types.CreateBatchArguments]"}
            kinds = [re.fullmatch(r"Unpack\[types\.(\w+)\]", unpacked.get(name, it.annotation)) for it in others]
            typed = {key for kind in kinds for key in getattr(rondo.types, kind[1]).__annotations__}
            with self.subTest(name):
                # `composition` takes films and compositions. Versions are listed page by page only.
                left_out = {("listProjectVersions", "cursor")}
                self.assertEqual({(name, key) for key in set(known) - typed - set(parameters)} - left_out, set())
                self.assertEqual(typed & set(parameters), set())

    def test_an_unknown_argument_is_refused(self):
        for name in METHODS:
            with self.subTest(name), self.assertRaises(TypeError):
                self.call(name, {"no_such_argument": "x"})
        with self.assertRaisesRegex(TypeError, "'statsu'.*status"):
            self.call("listRenders", {"statsu": "COMPLETED"})

    def test_the_names_in_free_data_stay(self):
        free = {"replacements": {"first_name": "Ada"}, "metadata": {"order_id": 1}, "composition": {"my_field": None}}
        body = json.loads(self.call("createRender", free).content)
        self.assertEqual(body, {"replacements": {"first_name": "Ada"}, "metadata": {"order_id": 1}, "inputProps": {"my_field": None}})
        query = {"metadata": {"order_id": 1, "a b": "c=d", "paid": True}, "fields": ["jobId", "status"]}
        parameters = dict(self.call("listRenders", query).url.params)
        self.assertEqual(parameters, {"metadata[order_id]": "1", "metadata[a b]": "c=d", "metadata[paid]": "true", "fields": "jobId,status"})

    def test_a_table_is_sent_as_it_is_with_the_other_arguments_in_the_query(self):
        for table in ["quote\nGrüße", "quote\nGrüße".encode()]:
            request = self.call("createBatch", {"csv": table, "template_id": "tpl_1", "webhook_url": "https://a.test/", "idempotency_key": "k"})
            self.assertEqual((request.headers["content-type"], request.content.decode()), ("text/csv", "quote\nGrüße"))
            self.assertEqual(dict(request.url.params), {"templateId": "tpl_1", "webhookUrl": "https://a.test/"})
            self.assertEqual(request.headers["idempotency-key"], "k")

    def test_an_operation_that_can_be_repeated_takes_a_key(self):
        for name, (_, path, operation) in OPERATIONS.items():
            if not any(it["name"] == "Idempotency-Key" for it in operation.get("parameters", [])):
                continue
            with self.subTest(name):
                method = operator.attrgetter(METHODS.get(name) or OTHERS[name])(rondo.Rondo(api_key="rnd_x"))
                self.assertIn("idempotency_key", inspect.signature(method).parameters)

    def check(self, name, request):
        method, path, operation = OPERATIONS[name]
        self.assertEqual(request.method, method.upper())
        base = "" if "servers" in operation else "/api/v1"
        self.assertRegex(request.url.path, "^" + base + re.sub(r"\{\w+\}", "(x|y|fonts)", path) + "$")
        parameters = {it["name"].lower(): it for it in operation.get("parameters", [])}
        for given in request.url.params:
            self.assertIn(given.lower(), parameters)
        for key, parameter in parameters.items():
            if parameter["required"] and parameter["in"] == "query":
                self.assertIn(key, request.url.params)
        content = operation.get("requestBody", {}).get("content", {}).get("application/json")
        if content:
            schema = DOCUMENT["components"]["schemas"][content["schema"]["$ref"].rsplit("/", 1)[1]]
            body = json.loads(request.content)
            self.assertLessEqual(set(schema.get("required", [])), set(body))
            self.assertLessEqual(set(body), set(schema["properties"]))


if __name__ == "__main__":
    unittest.main()
