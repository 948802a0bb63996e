# Changes a page and queues an event about it in one transaction. Needs psycopg 3: pip install psycopg
import json
import os
import sys

import psycopg

event = {
    "eventId": sys.argv[1],
    "type": "site_view",
    "installationId": "ins_1",
    "siteId": "site_1",
    "visitor": {"anonymousId": "v1", "userAgent": None, "ip": None, "cookies": {}},
    "url": "/start",
    "referrer": None,
}

# Rolls back if anything fails.
with psycopg.connect(os.environ["DATABASE_URL"]) as connection:
    connection.execute("create table if not exists python_views (page text)")
    connection.execute("insert into python_views values (%s)", [event["url"]])
    # If you don't know whether an earlier call was committed, repeat it with the same eventId.
    for delivery, endpoint, queued in connection.execute(
        "select * from platform_webhooks.enqueue_event(%s::json)", [json.dumps(event)]
    ):
        print(delivery, endpoint, "queued" if queued else "already queued")
