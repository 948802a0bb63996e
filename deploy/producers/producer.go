// Changes a page and queues an event about it in one transaction. Needs pgx: go get github.com/jackc/pgx/v5
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"

	"github.com/jackc/pgx/v5"
)

func main() {
	if err := queue(context.Background(), os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

func queue(ctx context.Context, eventID string) error {
	event, err := json.Marshal(map[string]any{
		"eventId":        eventID,
		"type":           "site_view",
		"installationId": "ins_1",
		"siteId":         "site_1",
		"visitor":        map[string]any{"anonymousId": "v1", "userAgent": nil, "ip": nil, "cookies": map[string]string{}},
		"url":            "/start",
		"referrer":       nil,
	})
	if err != nil {
		return err
	}
	connection, err := pgx.Connect(ctx, os.Getenv("DATABASE_URL"))
	if err != nil {
		return err
	}
	defer connection.Close(ctx)
	transaction, err := connection.Begin(ctx)
	if err != nil {
		return err
	}
	defer transaction.Rollback(ctx)

	if _, err := transaction.Exec(ctx, "create table if not exists go_views (page text)"); err != nil {
		return err
	}
	if _, err := transaction.Exec(ctx, "insert into go_views values ($1)", "/start"); err != nil {
		return err
	}
	// If you don't know whether an earlier call was committed, repeat it with the same eventId.
	rows, err := transaction.Query(ctx, "select delivery, endpoint, queued from platform_webhooks.enqueue_event($1::text::json)", string(event))
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var delivery, endpoint string
		var queued bool
		if err := rows.Scan(&delivery, &endpoint, &queued); err != nil {
			return err
		}
		if queued {
			fmt.Println(delivery, endpoint, "queued")
		} else {
			fmt.Println(delivery, endpoint, "already queued")
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return transaction.Commit(ctx)
}
