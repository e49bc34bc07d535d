/**
 * A step "Code by Zapier" after "Catch Raw Hook": checks the signature of a delivery and returns its fields.
 *
 * Input data: `body` (Raw Body), `id`, `timestamp` and `signature` (the headers webhook-id, webhook-timestamp and webhook-signature) and `secret`,
 * which POST /webhooks returned.
 */
const { createHmac, timingSafeEqual } = require("node:crypto");

const { body, id, timestamp, signature, secret } = inputData;
const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
const expected = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest();
const isSigned = signature.split(" ").some((it) => {
  const given = Buffer.from(it.replace(/^v1,/, ""), "base64");
  return it.startsWith("v1,") && given.length === expected.length && timingSafeEqual(given, expected);
});
if (!isSigned) throw new Error("The signature of the delivery is wrong.");
if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300))
  throw new Error("The delivery is more than five minutes old.");
const { event, deliveryId, data } = JSON.parse(body);
output = { event, deliveryId, ...data };
