package clients

import (
	"strconv"
	"testing"
	"time"

	"github.com/linode/linodego"
)

func TestInstance(t *testing.T) {
	web := running(t, "go-web", linodego.InstanceCreateOptions{Tags: []string{"prod"}})
	equal(t, web.Status, linodego.InstanceRunning)
	equal(t, []string{web.Region, web.Type, web.Image}, []string{region, kind, "linode/debian11"})
	changed, err := client.UpdateInstance(ctx, web.ID, linodego.InstanceUpdateOptions{Label: "go-app", Tags: tags("prod", "app")})
	must(t, err)
	equal(t, changed.Label, "go-app")
	equal(t, changed.Tags, []string{"prod", "app"})
	found, err := client.ListInstances(ctx, linodego.NewListOptions(0, `{"label":"go-app"}`))
	must(t, err)
	equal(t, len(found), 1)
	since := time.Now()
	must(t, client.DeleteInstance(ctx, web.ID))
	finished(t, since, linodego.EntityLinode, web.ID, linodego.ActionLinodeDelete)
	_, err = client.GetInstance(ctx, web.ID)
	refused(t, err, 404, "Not found")
}

func TestInstancePower(t *testing.T) {
	web := running(t, "go-power", linodego.InstanceCreateOptions{})
	configs, err := client.ListInstanceConfigs(ctx, web.ID, nil)
	must(t, err)
	since := time.Now()
	must(t, client.ShutdownInstance(ctx, web.ID))
	if event := finished(t, since, linodego.EntityLinode, web.ID, linodego.ActionLinodeShutdown); event.SecondaryEntity != nil {
		t.Fatalf("a shutdown names %v", event.SecondaryEntity)
	}
	since = time.Now()
	must(t, client.BootInstance(ctx, web.ID, 0))
	second(t, finished(t, since, linodego.EntityLinode, web.ID, linodego.ActionLinodeBoot), "linode_config", configs[0].ID)
	since = time.Now()
	must(t, client.RebootInstance(ctx, web.ID, configs[0].ID))
	second(t, finished(t, since, linodego.EntityLinode, web.ID, linodego.ActionLinodeReboot), "linode_config", configs[0].ID)
	_, err = client.WaitForInstanceStatus(ctx, web.ID, linodego.InstanceRunning, wait)
	must(t, err)
}

func TestPowerOfAnInstanceThatIsOff(t *testing.T) {
	web := running(t, "go-off", linodego.InstanceCreateOptions{})
	since := time.Now()
	must(t, client.ShutdownInstance(ctx, web.ID))
	finished(t, since, linodego.EntityLinode, web.ID, linodego.ActionLinodeShutdown)
	must(t, client.ShutdownInstance(ctx, web.ID))
	// The reboot request is retried until the shutdown is complete, and then boots the instance.
	must(t, client.RebootInstance(ctx, web.ID, 0))
	_, err := client.WaitForInstanceStatus(ctx, web.ID, linodego.InstanceRunning, wait)
	must(t, err)
}

func TestRefusalsAreRead(t *testing.T) {
	_, err := client.GetLKEVersion(ctx, "does-not-exist")
	refused(t, err, 404, "Not found")
	refused(t, client.DeleteImage(ctx, "linode/debian11"), 403, "Unauthorized")
	_, err = client.CreateVolume(ctx, linodego.VolumeCreateOptions{Label: "go bad", Region: region})
	if failure, ok := err.(*linodego.Error); !ok || failure.Code != 400 || failure.Message[:8] != "[label] " {
		t.Fatalf("got %v, want a refusal of the label", err)
	}
}

func TestInstanceWithoutImage(t *testing.T) {
	bare := create(t, linodego.InstanceCreateOptions{Label: "go-bare"})
	bare, err := client.GetInstance(ctx, bare.ID)
	must(t, err)
	equal(t, bare.Status, linodego.InstanceOffline)
}

func TestDisksAndConfig(t *testing.T) {
	bare := create(t, linodego.InstanceCreateOptions{Label: "go-disks"})
	since := time.Now()
	root, err := client.CreateInstanceDisk(ctx, bare.ID, linodego.InstanceDiskCreateOptions{
		Label: "root", Size: 3000, Image: "linode/debian11", RootPass: password,
	})
	must(t, err)
	// The instance is busy while the first disk is written, so the client retries.
	swap, err := client.CreateInstanceDisk(ctx, bare.ID, linodego.InstanceDiskCreateOptions{Label: "swap", Size: 512, Filesystem: "swap"})
	must(t, err)
	finished(t, since, linodego.EntityLinode, bare.ID, linodego.ActionDiskCreate)
	_, err = client.WaitForInstanceDiskStatus(ctx, bare.ID, swap.ID, linodego.DiskReady, wait)
	must(t, err)
	since = time.Now()
	must(t, client.ResizeInstanceDisk(ctx, bare.ID, root.ID, 4000))
	second(t, finished(t, since, linodego.EntityLinode, bare.ID, linodego.ActionDiskResize), linodego.EntityDisk, root.ID)
	root, err = client.RenameInstanceDisk(ctx, bare.ID, root.ID, "system")
	must(t, err)
	equal(t, root.Label, "system")
	equal(t, root.Size, 4000)

	config, err := client.CreateInstanceConfig(ctx, bare.ID, linodego.InstanceConfigCreateOptions{
		Label:  "main",
		Kernel: "linode/latest-64bit",
		Devices: linodego.InstanceConfigDeviceMap{
			SDA: &linodego.InstanceConfigDevice{DiskID: root.ID},
			SDB: &linodego.InstanceConfigDevice{DiskID: swap.ID},
		},
	})
	must(t, err)
	equal(t, config.Kernel, "linode/latest-64bit")
	options := config.GetUpdateOptions()
	options.Label, options.Comments = "first", "by the client"
	config, err = client.UpdateInstanceConfig(ctx, bare.ID, config.ID, options)
	must(t, err)
	equal(t, []string{config.Label, config.Comments}, []string{"first", "by the client"})
	equal(t, config.Devices.SDA.DiskID, root.ID)
	since = time.Now()
	must(t, client.BootInstance(ctx, bare.ID, config.ID))
	second(t, finished(t, since, linodego.EntityLinode, bare.ID, linodego.ActionLinodeBoot), "linode_config", config.ID)
	must(t, client.ShutdownInstance(ctx, bare.ID))
	finished(t, since, linodego.EntityLinode, bare.ID, linodego.ActionLinodeShutdown)
	must(t, client.DeleteInstanceConfig(ctx, bare.ID, config.ID))
	since = time.Now()
	must(t, client.DeleteInstanceDisk(ctx, bare.ID, swap.ID))
	second(t, finished(t, since, linodego.EntityLinode, bare.ID, linodego.ActionDiskDelete), linodego.EntityDisk, swap.ID)
	disks, err := client.ListInstanceDisks(ctx, bare.ID, nil)
	must(t, err)
	equal(t, len(disks), 1)
}

func TestCloneRebuildAndBackups(t *testing.T) {
	source := running(t, "go-source", linodego.InstanceCreateOptions{BackupsEnabled: true})
	since := time.Now()
	snapshot, err := client.CreateInstanceSnapshot(ctx, source.ID, "kept")
	must(t, err)
	finished(t, since, linodego.EntityLinode, source.ID, linodego.ActionLinodeSnapshot)
	backups, err := client.GetInstanceBackups(ctx, source.ID)
	must(t, err)
	equal(t, backups.Snapshot.Current.ID, snapshot.ID)
	since = time.Now()
	_, err = client.RebuildInstance(ctx, source.ID, linodego.InstanceRebuildOptions{Image: "linode/debian10", RootPass: password})
	must(t, err)
	finished(t, since, linodego.EntityLinode, source.ID, linodego.ActionLinodeRebuild)
	finished(t, since, linodego.EntityLinode, source.ID, linodego.ActionLinodeBoot)
	since = time.Now()
	copied, err := client.CloneInstance(ctx, source.ID, linodego.InstanceCloneOptions{Region: region, Type: kind, Label: "go-copy"})
	must(t, err)
	second(t, finished(t, since, linodego.EntityLinode, source.ID, linodego.ActionLinodeClone), linodego.EntityLinode, copied.ID)
	must(t, client.DeleteInstance(ctx, copied.ID))
}

func TestEventsOfACreation(t *testing.T) {
	web := running(t, "go-events", linodego.InstanceCreateOptions{})
	filter := `{"entity.type":"linode","entity.id":` + strconv.Itoa(web.ID) + `,"+order_by":"id","+order":"asc"}`
	events, err := client.ListEvents(ctx, linodego.NewListOptions(1, filter))
	must(t, err)
	equal(t, len(events), 2)
	equal(t, events[0].Action, linodego.ActionLinodeCreate)
	equal(t, events[0].PercentComplete, 100)
	second(t, &events[0], "image", "linode/debian11")
	must(t, client.MarkEventRead(ctx, &events[0]))
	must(t, client.MarkEventsSeen(ctx, &events[1]))
	event, err := client.GetEvent(ctx, events[0].ID)
	must(t, err)
	equal(t, []bool{event.Read, event.Seen}, []bool{true, true})
}
