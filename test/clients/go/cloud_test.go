// Package clients tests the public Go client against an emulator. It waits for jobs by the account's events.
package clients

import (
	"context"
	"io"
	"log"
	"os"
	"reflect"
	"strconv"
	"testing"
	"time"

	"github.com/linode/linodego"
)

const (
	password = "Correct-Horse-42-battery"
	region   = "us-east"
	kind     = "g6-standard-1"
	wait     = 60
)

var ctx = context.Background()

func connect() *linodego.Client {
	client := linodego.NewClient(nil)
	client.SetBaseURL(os.Getenv("CLIENTS_ORIGIN"))
	client.SetToken(os.Getenv("CLIENTS_TOKEN"))
	delay, _ := strconv.Atoi(os.Getenv("CLIENTS_POLL_DELAY"))
	client.SetPollDelay(time.Duration(delay))
	client.SetRetryWaitTime(100 * time.Millisecond)
	client.SetRetryMaxWaitTime(time.Second)
	return &client
}

var client = connect()

func TestMain(m *testing.M) {
	// The client logs each wait and each retry.
	log.SetOutput(io.Discard)
	os.Exit(m.Run())
}

// must ends the test if a call has failed.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func equal(t *testing.T, got, want interface{}) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("got %#v, want %#v", got, want)
	}
}

// refused ends the test unless the call has failed with the given status and text.
func refused(t *testing.T, err error, code int, message string) {
	t.Helper()
	failure, ok := err.(*linodego.Error)
	if !ok || failure.Code != code || failure.Message != message {
		t.Fatalf("got %v, want [%d] %s", err, code, message)
	}
}

func finished(t *testing.T, since time.Time, entity linodego.EntityType, id int, action linodego.EventAction) *linodego.Event {
	t.Helper()
	event, err := client.WaitForEventFinished(ctx, id, entity, action, since, wait)
	must(t, err)
	return event
}

// second ends the test unless the event has the given object as its secondary_entity.
func second(t *testing.T, event *linodego.Event, entity linodego.EntityType, id interface{}) {
	t.Helper()
	if event.SecondaryEntity == nil {
		t.Fatalf("%s has no secondary entity", event.Action)
	}
	if number, ok := id.(int); ok {
		id = float64(number)
	}
	equal(t, event.SecondaryEntity.Type, entity)
	equal(t, event.SecondaryEntity.ID, id)
}

func tags(all ...string) *[]string { return &all }

func create(t *testing.T, options linodego.InstanceCreateOptions) *linodego.Instance {
	t.Helper()
	options.Region, options.Type = region, kind
	since := time.Now()
	made, err := client.CreateInstance(ctx, options)
	must(t, err)
	t.Cleanup(func() { _ = client.DeleteInstance(ctx, made.ID) })
	finished(t, since, linodego.EntityLinode, made.ID, linodego.ActionLinodeCreate)
	return made
}

// running creates an instance and waits until it runs.
func running(t *testing.T, label string, options linodego.InstanceCreateOptions) *linodego.Instance {
	t.Helper()
	options.Label, options.Image, options.RootPass = label, "linode/debian11", password
	since := time.Now()
	made := create(t, options)
	finished(t, since, linodego.EntityLinode, made.ID, linodego.ActionLinodeBoot)
	made, err := client.GetInstance(ctx, made.ID)
	must(t, err)
	return made
}
