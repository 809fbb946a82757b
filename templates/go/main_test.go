package main

import (
	"sync"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// mocks answers instead of the provider: the outputs of a resource are its inputs.
type mocks struct {
	mutex     sync.Mutex
	resources map[string]resource.PropertyMap
}

func (m *mocks) NewResource(args pulumi.MockResourceArgs) (string, resource.PropertyMap, error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.resources[args.TypeToken+" "+args.Name] = args.Inputs
	return args.Name + "-id", args.Inputs, nil
}

func (m *mocks) Call(pulumi.MockCallArgs) (resource.PropertyMap, error) {
	return resource.PropertyMap{}, nil
}

// run runs the program with a configuration, and returns the inputs of its resources by type and name.
func run(config map[string]string) (map[string]resource.PropertyMap, error) {
	m := &mocks{resources: map[string]resource.PropertyMap{}}
	configure := func(info *pulumi.RunInfo) { info.Config = config }
	err := pulumi.RunErr(program, pulumi.WithMocks("project", "stack", m), configure)
	return m.resources, err
}

func TestCreatesAServerWithAVolumeAndAFirewall(t *testing.T) {
	created, err := run(map[string]string{"project:region": "us-east", "project:rootPass": "Correct-Horse-42"})
	if err != nil {
		t.Fatal(err)
	}
	server, volume := created["cloudinfra:index:Instance web"], created["cloudinfra:index:Volume data"]
	if server["region"].StringValue() != "us-east" || volume["region"].StringValue() != "us-east" {
		t.Errorf("regions: %v and %v", server["region"], volume["region"])
	}
	if volume["computeId"].StringValue() != "web-id" {
		t.Errorf("the volume is attached to %v", volume["computeId"])
	}
	rules := created["cloudinfra:index:Firewall web"]["rules"].ObjectValue()
	if rules["inboundPolicy"].StringValue() != "DROP" {
		t.Errorf("the inbound policy is %v", rules["inboundPolicy"])
	}
}

func TestAMissingRegionIsAnError(t *testing.T) {
	if _, err := run(map[string]string{"project:rootPass": "Correct-Horse-42"}); err == nil {
		t.Error("the program ran without a region")
	}
}
