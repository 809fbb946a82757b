package clients

import (
	"fmt"
	"testing"
	"time"

	"github.com/linode/linodego"
)

const volumes linodego.EntityType = "volume"

func volume(t *testing.T, options linodego.VolumeCreateOptions) *linodego.Volume {
	t.Helper()
	since := time.Now()
	made, err := client.CreateVolume(ctx, options)
	must(t, err)
	t.Cleanup(func() { _ = client.DeleteVolume(ctx, made.ID) })
	finished(t, since, volumes, made.ID, linodego.ActionVolumeCreate)
	return made
}

func TestVolume(t *testing.T) {
	data := volume(t, linodego.VolumeCreateOptions{Label: "go-data", Region: region, Size: 20})
	data, err := client.GetVolume(ctx, data.ID)
	must(t, err)
	equal(t, data.Status, linodego.VolumeActive)
	data, err = client.UpdateVolume(ctx, data.ID, linodego.VolumeUpdateOptions{Label: "go-files", Tags: tags("prod")})
	must(t, err)
	equal(t, data.Label, "go-files")
	since := time.Now()
	must(t, client.ResizeVolume(ctx, data.ID, 30))
	finished(t, since, volumes, data.ID, linodego.ActionVolumeResize)
	since = time.Now()
	copied, err := client.CloneVolume(ctx, data.ID, "go-copy")
	must(t, err)
	second(t, finished(t, since, volumes, data.ID, linodego.ActionVolumeClone), volumes, copied.ID)
	for _, id := range []int{copied.ID, data.ID} {
		must(t, client.DeleteVolume(ctx, id))
	}
	_, err = client.GetVolume(ctx, data.ID)
	refused(t, err, 404, "Not found")
}

func TestVolumeOfAnInstance(t *testing.T) {
	web := running(t, "go-volumes", linodego.InstanceCreateOptions{})
	data := volume(t, linodego.VolumeCreateOptions{Label: "go-attached", Region: region})
	since := time.Now()
	_, err := client.AttachVolume(ctx, data.ID, &linodego.VolumeAttachOptions{LinodeID: web.ID})
	must(t, err)
	second(t, finished(t, since, volumes, data.ID, linodego.ActionVolumeAttach), linodego.EntityLinode, web.ID)
	_, err = client.WaitForVolumeLinodeID(ctx, data.ID, &web.ID, wait)
	must(t, err)
	must(t, client.DetachVolume(ctx, data.ID))
	finished(t, since, volumes, data.ID, linodego.ActionVolumeDetach)
	// The volume is detached already. Programs often detach before every deletion, so this must succeed.
	must(t, client.DetachVolume(ctx, data.ID))
	must(t, client.DeleteVolume(ctx, data.ID))
	owned := volume(t, linodego.VolumeCreateOptions{Label: "go-owned", LinodeID: web.ID})
	listed, err := client.ListInstanceVolumes(ctx, web.ID, nil)
	must(t, err)
	equal(t, len(listed), 1)
	equal(t, listed[0].ID, owned.ID)
}

func TestVolumeInAConfig(t *testing.T) {
	bare := create(t, linodego.InstanceCreateOptions{Label: "go-bootable"})
	data := volume(t, linodego.VolumeCreateOptions{Label: "go-boot", Region: region})
	_, err := client.CreateInstanceConfig(ctx, bare.ID, linodego.InstanceConfigCreateOptions{
		Label:   "volume",
		Devices: linodego.InstanceConfigDeviceMap{SDA: &linodego.InstanceConfigDevice{VolumeID: data.ID}},
	})
	must(t, err)
	_, err = client.WaitForVolumeLinodeID(ctx, data.ID, &bare.ID, wait)
	must(t, err)
	must(t, client.DeleteVolume(ctx, data.ID))
}

func TestListsPageByPage(t *testing.T) {
	for at := 0; at < 30; at++ {
		one, err := client.CreateVolume(ctx, linodego.VolumeCreateOptions{Label: fmt.Sprintf("go-list-%02d", at), Region: region})
		must(t, err)
		t.Cleanup(func() { _ = client.DeleteVolume(ctx, one.ID) })
	}
	filter := `{"label":{"+contains":"go-list-"},"+order_by":"label","+order":"desc"}`
	all, err := client.ListVolumes(ctx, &linodego.ListOptions{PageSize: 25, Filter: filter})
	must(t, err)
	equal(t, len(all), 30)
	equal(t, all[0].Label, "go-list-29")
	options := linodego.NewListOptions(2, filter)
	options.PageSize = 25
	page, err := client.ListVolumes(ctx, options)
	must(t, err)
	equal(t, len(page), 5)
	either := `{"+or":[{"label":"go-list-07"},{"label":"go-list-08"}]}`
	some, err := client.ListVolumes(ctx, linodego.NewListOptions(0, either))
	must(t, err)
	equal(t, len(some), 2)
	_, err = client.ListVolumes(ctx, linodego.NewListOptions(0, `{"created":"2022-01-01T00:00:00"}`))
	refused(t, err, 400, "[X-Filter] Cannot filter on created")
}
