// Converted from object-storage-object.yaml 31520f6c by `make sdks`.
package main

import (
	"github.com/pulumi-cloudinfra/pulumi-cloudinfra/sdks/go/cloudinfra"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		site, err := cloudinfra.NewObjectStorageBucket(ctx, "site", &cloudinfra.ObjectStorageBucketArgs{
			Cluster: pulumi.String("us-east-1"),
			Acl:     pulumi.String(cloudinfra.ObjectAclPublicRead),
		})
		if err != nil {
			return err
		}
		_, err = cloudinfra.NewObjectStorageObject(ctx, "index", &cloudinfra.ObjectStorageObjectArgs{
			Cluster:     site.Cluster,
			Bucket:      site.Label,
			Name:        pulumi.String("index.html"),
			Content:     pulumi.String("<h1>It works</h1>"),
			ContentType: pulumi.String("text/html"),
		})
		if err != nil {
			return err
		}
		return nil
	})
}
