"""Checking that a delivery comes from the service."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from typing import Union

from .errors import WebhookError
from .types import WebhookEvent

#: Seconds that the clocks may differ.
TOLERANCE = 300


def verify_webhook(
    body: Union[str, bytes], headers: Mapping[str, str], secret: str, *, accept_body_signature: bool = False
) -> WebhookEvent:
    """Checks the signature of a delivery and returns its event.

    Pass the raw body, before parsing it. Reads the Standard Webhooks headers. Raises `WebhookError` if the signature is wrong, or if the
    timestamp differs from the clock by more than five minutes.

    `accept_body_signature` accepts `X-Rondo-Signature` where these headers are missing. It does not cover the timestamp: whoever has seen
    a delivery can send it again at any time.
    """
    raw = body.encode() if isinstance(body, str) else bytes(body)
    sent = {name.lower(): value for name, value in headers.items()}
    signatures = sent.get("webhook-signature", "")
    is_standard = bool(signatures) or not accept_body_signature
    timestamp = sent.get("webhook-timestamp" if is_standard else "x-rondo-timestamp", "")
    try:
        # Between integers: no float holds a timestamp of 400 digits.
        age = abs(int(time.time()) - int(timestamp))
    except ValueError:
        age = TOLERANCE + 1
    if age > TOLERANCE:
        raise WebhookError("The timestamp of the delivery is missing or more than five minutes off.")
    if is_standard:
        prefix = f"{sent.get('webhook-id', '')}.{timestamp}."
        is_signed = _is_signed(prefix.encode() + raw, signatures, secret)
    else:
        expected = hmac.new(secret.encode(), raw, hashlib.sha256).hexdigest()
        is_signed = hmac.compare_digest(expected.encode(), sent.get("x-rondo-signature", "").encode())
    if not is_signed:
        raise WebhookError("The signature of the delivery is wrong.")
    return json.loads(raw)


def _is_signed(message: bytes, signatures: str, secret: str) -> bool:
    encoded = secret[len("whsec_") :] if secret.startswith("whsec_") else secret
    try:
        key = base64.b64decode(encoded)
    except (binascii.Error, ValueError):
        return False
    expected = b"v1," + base64.b64encode(hmac.new(key, message, hashlib.sha256).digest())
    return any(hmac.compare_digest(expected, signature.encode()) for signature in signatures.split(" "))
