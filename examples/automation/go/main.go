// Updates a stack for each tenant, several at a time. All stacks use one token, which has one rate limit.
package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/pulumi-cloudinfra/pulumi-cloudinfra/sdks/go/cloudinfra"
	"github.com/pulumi/pulumi/sdk/v3/go/auto"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func numberIn(variable string, otherwise int) int {
	text := os.Getenv(variable)
	if text == "" {
		return otherwise
	}
	number, err := strconv.Atoi(text)
	if err != nil || number < 1 {
		fmt.Fprintf(os.Stderr, "%s must be at least 1 (given %s)\n", variable, text)
		os.Exit(1)
	}
	return number
}

func main() {
	stacks := numberIn("STACKS", 50)
	// Each update runs the Pulumi CLI and the plugin, which together need about 250 MB.
	parallel := numberIn("PARALLEL", 5)
	// Requests per second of all updates together. The service allows 1,600 in two minutes; the rest is for other programs.
	requestsPerSecond := numberIn("REQUESTS_PER_SECOND", 12)
	// The plugins of parallel updates are separate processes, so each of them gets its share of the rate.
	share := float64(requestsPerSecond) / float64(parallel)

	// The queue of the stacks that are not updated yet.
	waiting := make(chan string)
	var failed atomic.Int32
	var workers sync.WaitGroup
	for range parallel {
		workers.Go(func() {
			for tenant := range waiting {
				if err := update(context.Background(), tenant, share); err != nil {
					failed.Add(1)
					fmt.Fprintf(os.Stderr, "%s: %v\n", tenant, err)
				}
			}
		})
	}
	for number := range stacks {
		waiting <- fmt.Sprintf("tenant-%d", number+1)
	}
	close(waiting)
	workers.Wait()
	fmt.Printf("%d of %d stacks are up to date\n", stacks-int(failed.Load()), stacks)
	if failed.Load() > 0 {
		os.Exit(1)
	}
}

func update(ctx context.Context, tenant string, share float64) error {
	program := func(ctx *pulumi.Context) error {
		_, err := cloudinfra.NewVolume(ctx, "data", &cloudinfra.VolumeArgs{
			Label:  pulumi.String(tenant),
			Region: pulumi.String("us-east"),
			Size:   pulumi.Int(20),
		})
		return err
	}
	stack, err := auto.UpsertStackInlineSource(ctx, tenant, "tenants", program, auto.WorkDir("."))
	if err != nil {
		return err
	}
	rate := auto.ConfigValue{Value: strconv.FormatFloat(share, 'f', -1, 64)}
	if err := stack.SetConfig(ctx, "cloudinfra:rateLimit", rate); err != nil {
		return err
	}
	result, err := stack.Up(ctx)
	if err != nil {
		return err
	}
	fmt.Printf("%s: %s %v\n", tenant, result.Summary.Result, *result.Summary.ResourceChanges)
	return nil
}
