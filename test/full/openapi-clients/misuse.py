"""Each function has a mistake that the types of the generated models must catch."""

from models.error429 import Error429
from models.geo_record import GeoRecord


def ip_without_check_for_none(record: GeoRecord) -> str:
    return record.ip


def misspelled_code(body: Error429) -> bool:
    return body.error.code == "rate_limitd"
