"""Print the document that describes the API."""

import json
from typing import Any

from django.core.management.base import BaseCommand

import reviewconsole.urls as _  # noqa: F401 - the API finds its own address there
from reviewconsole.api.root import api


class Command(BaseCommand):
    help = "Print the OpenAPI document of the API."
    requires_system_checks = ()

    def handle(self, *_args: Any, **_options: Any) -> None:
        self.stdout.write(json.dumps(api.get_openapi_schema(), indent=1, ensure_ascii=False))
