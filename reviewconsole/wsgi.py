"""What the web server runs. Nothing here holds a connection: workers fork later."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "reviewconsole.settings")

application = get_wsgi_application()
