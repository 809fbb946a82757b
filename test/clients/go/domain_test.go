package clients

import (
	"testing"

	"github.com/linode/linodego"
)

func TestDomainWithRecords(t *testing.T) {
	zone, err := client.CreateDomain(ctx, linodego.DomainCreateOptions{
		Domain: "go.example", Type: linodego.DomainTypeMaster, SOAEmail: "admin@go.example",
	})
	must(t, err)
	equal(t, zone.Status, linodego.DomainStatusActive)
	priority, weight, port, service, protocol := 10, 5, 5060, "sip", "tcp"
	www, err := client.CreateDomainRecord(ctx, zone.ID, linodego.DomainRecordCreateOptions{
		Type: linodego.RecordTypeA, Name: "www", Target: "192.0.2.1", Priority: &priority,
	})
	must(t, err)
	mail, err := client.CreateDomainRecord(ctx, zone.ID, linodego.DomainRecordCreateOptions{
		Type: linodego.RecordTypeMX, Target: "mail.go.example", Priority: &priority,
	})
	must(t, err)
	sip, err := client.CreateDomainRecord(ctx, zone.ID, linodego.DomainRecordCreateOptions{
		Type: linodego.RecordTypeSRV, Target: "sip.go.example", Service: &service, Protocol: &protocol, Priority: &priority, Weight: &weight, Port: &port,
	})
	must(t, err)
	equal(t, *sip.Service, "sip")
	www, err = client.UpdateDomainRecord(ctx, zone.ID, www.ID, linodego.DomainRecordUpdateOptions{Target: "192.0.2.2"})
	must(t, err)
	equal(t, www.Target, "192.0.2.2")
	// The whole response is sent back in the update.
	options := mail.GetUpdateOptions()
	priority = 20
	options.Priority = &priority
	mail, err = client.UpdateDomainRecord(ctx, zone.ID, mail.ID, options)
	must(t, err)
	equal(t, mail.Priority, 20)
	change := zone.GetUpdateOptions()
	change.Description, change.Tags = "by the client", []string{"prod"}
	zone, err = client.UpdateDomain(ctx, zone.ID, change)
	must(t, err)
	equal(t, zone.Description, "by the client")
	records, err := client.ListDomainRecords(ctx, zone.ID, nil)
	must(t, err)
	equal(t, len(records), 3)
	must(t, client.DeleteDomainRecord(ctx, zone.ID, sip.ID))
	must(t, client.DeleteDomain(ctx, zone.ID))
	_, err = client.GetDomain(ctx, zone.ID)
	refused(t, err, 404, "Not found")
}

func TestSlaveDomain(t *testing.T) {
	zone, err := client.CreateDomain(ctx, linodego.DomainCreateOptions{
		Domain: "go-slave.example", Type: linodego.DomainTypeSlave, MasterIPs: []string{"192.0.2.53"},
	})
	must(t, err)
	change := zone.GetUpdateOptions()
	change.MasterIPs = []string{"192.0.2.53", "192.0.2.54"}
	zone, err = client.UpdateDomain(ctx, zone.ID, change)
	must(t, err)
	equal(t, len(zone.MasterIPs), 2)
	must(t, client.DeleteDomain(ctx, zone.ID))
}
