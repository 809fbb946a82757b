package clients

import (
	"testing"
	"time"

	"github.com/linode/linodego"
)

func TestClusterWithPools(t *testing.T) {
	versions, err := client.ListLKEVersions(ctx, nil)
	must(t, err)
	since := time.Now()
	prod, err := client.CreateLKECluster(ctx, linodego.LKEClusterCreateOptions{
		Label: "go-prod", Region: region, K8sVersion: versions[0].ID,
		NodePools: []linodego.LKENodePoolCreateOptions{{Type: kind, Count: 1}},
	})
	must(t, err)
	t.Cleanup(func() { _ = client.DeleteLKECluster(ctx, prod.ID) })
	pools, err := client.ListLKENodePools(ctx, prod.ID, nil)
	must(t, err)
	finished(t, since, linodego.EntityLinode, pools[0].Linodes[0].InstanceID, linodego.ActionLKENodeCreate)
	// The client retries while the kubeconfig does not exist yet.
	config, err := client.GetLKEClusterKubeconfig(ctx, prod.ID)
	must(t, err)
	if config.KubeConfig == "" {
		t.Fatal("the kubeconfig is empty")
	}
	_, err = client.ListLKEClusterAPIEndpoints(ctx, prod.ID, nil)
	must(t, err)
	pool, err := client.CreateLKENodePool(ctx, prod.ID, linodego.LKENodePoolCreateOptions{Type: "g6-standard-2", Count: 2, Tags: []string{"batch"}})
	must(t, err)
	equal(t, len(pool.Linodes), 2)
	pool, err = client.UpdateLKENodePool(ctx, prod.ID, pool.ID, linodego.LKENodePoolUpdateOptions{Count: 1})
	must(t, err)
	equal(t, pool.Count, 1)
	must(t, client.DeleteLKENodePool(ctx, prod.ID, pool.ID))
	prod, err = client.UpdateLKECluster(ctx, prod.ID, linodego.LKEClusterUpdateOptions{Label: "go-live", Tags: tags("prod")})
	must(t, err)
	equal(t, prod.Label, "go-live")
	must(t, client.DeleteLKECluster(ctx, prod.ID))
	_, err = client.GetLKECluster(ctx, prod.ID)
	refused(t, err, 404, "Not found")
}

func TestBucketKey(t *testing.T) {
	key, err := client.CreateObjectStorageKey(ctx, linodego.ObjectStorageKeyCreateOptions{Label: "go-key"})
	must(t, err)
	if key.AccessKey == "" || key.SecretKey == "" {
		t.Fatal("the key is empty")
	}
	key, err = client.UpdateObjectStorageKey(ctx, key.ID, linodego.ObjectStorageKeyUpdateOptions{Label: "go-renamed"})
	must(t, err)
	equal(t, key.Label, "go-renamed")
	keys, err := client.ListObjectStorageKeys(ctx, nil)
	must(t, err)
	equal(t, len(keys), 1)
	must(t, client.DeleteObjectStorageKey(ctx, key.ID))
	_, err = client.GetObjectStorageKey(ctx, key.ID)
	refused(t, err, 404, "The specified access key was not found.")
}
