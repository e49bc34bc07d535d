// Validates objects of KEDA, a JSON array in a file, with the schemas of its custom resources.
import fs from "node:fs";
import * as kinds from "@kubernetes-models/keda/keda.sh/v1alpha1";

const objects = JSON.parse(fs.readFileSync(process.argv[2]));
for (const object of objects) new kinds[object.kind](object).validate();
const wrong = { ...objects.find((object) => object.kind === "ScaledObject"), spec: {} };
try {
  new kinds.ScaledObject(wrong).validate();
  throw new Error("The schemas accept a ScaledObject without a target.");
} catch (error) {
  if (/accept/.test(error.message)) throw error;
}
console.error(objects.map((object) => object.kind).join(", "));
