"""Type-checks only if the generated models have exact types."""

from typing import Any, Literal, Optional, assert_type

from models.continent import Continent
from models.error404 import Error404
from models.error429 import Error429
from models.geo_record import GeoRecord
from models.quota_exceeded import QuotaExceeded
from models.rate_limited import RateLimited


def city(body: dict[str, Any]) -> Optional[str]:
    record = GeoRecord(**body)
    assert_type(record.ip, Optional[str])
    assert_type(record.asn, Optional[int])
    assert_type(record.continent, Optional[Continent])
    assert_type(record.languages, Optional[list[str]])
    assert_type(record.partial, Optional[Literal[True]])
    return record.city


def is_hourly(body: Error429) -> bool:
    error = body.error
    if error.code == "rate_limited":
        assert_type(error, RateLimited)
        return True
    assert_type(error, QuotaExceeded)
    return False


def only_code(body: Error404) -> Literal["not_found"]:
    return body.error.code
