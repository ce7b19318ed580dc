"""Type-checks only if the generated models of the admin API have exact types."""

from typing import Any, Optional, assert_type

from models.customer import Customer
from models.issued_key import IssuedKey
from models.key_list import KeyList


def full_key(body: dict[str, Any]) -> Optional[str]:
    issued = IssuedKey(**body)
    assert_type(issued.key_id, str)
    assert_type(issued.origins, list[str])
    return issued.key


def labels(page: KeyList) -> list[str]:
    return [key.label for key in page.items]


def active_keys(customer: Customer) -> int:
    assert_type(customer.monthly_requests, Optional[int])
    return customer.active_keys
