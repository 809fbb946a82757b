package clients

import (
	"testing"

	"github.com/linode/linodego"
)

func TestFirewallWithDevices(t *testing.T) {
	web := running(t, "go-firewalled", linodego.InstanceCreateOptions{})
	everywhere := []string{"0.0.0.0/0"}
	rules := linodego.FirewallRuleSet{
		Inbound: []linodego.FirewallRule{{
			Action: "ACCEPT", Label: "web", Protocol: linodego.TCP, Ports: "80, 443",
			Addresses: linodego.NetworkAddresses{IPv4: &everywhere},
		}},
		InboundPolicy:  "DROP",
		Outbound:       []linodego.FirewallRule{},
		OutboundPolicy: "ACCEPT",
	}
	edge, err := client.CreateFirewall(ctx, linodego.FirewallCreateOptions{Label: "go-edge", Rules: rules})
	must(t, err)
	equal(t, edge.Rules.Inbound[0].Ports, "80, 443")
	device, err := client.CreateFirewallDevice(ctx, edge.ID, linodego.FirewallDeviceCreateOptions{ID: web.ID, Type: linodego.FirewallDeviceLinode})
	must(t, err)
	equal(t, device.Entity.ID, web.ID)
	equal(t, device.Entity.Type, linodego.FirewallDeviceLinode)
	// The client sends null for the lists that are not set.
	open, err := client.UpdateFirewallRules(ctx, edge.ID, linodego.FirewallRuleSet{InboundPolicy: "ACCEPT", OutboundPolicy: "ACCEPT"})
	must(t, err)
	equal(t, open.InboundPolicy, "ACCEPT")
	options := edge.GetUpdateOptions()
	options.Label, options.Status = "go-gate", linodego.FirewallDisabled
	edge, err = client.UpdateFirewall(ctx, edge.ID, options)
	must(t, err)
	equal(t, edge.Status, linodego.FirewallDisabled)
	devices, err := client.ListFirewallDevices(ctx, edge.ID, nil)
	must(t, err)
	equal(t, len(devices), 1)
	must(t, client.DeleteFirewallDevice(ctx, edge.ID, device.ID))
	must(t, client.DeleteFirewall(ctx, edge.ID))
	_, err = client.GetFirewall(ctx, edge.ID)
	refused(t, err, 404, "Not found")
}

func TestLoadBalancerWithConfigAndNodes(t *testing.T) {
	web := running(t, "go-backend", linodego.InstanceCreateOptions{PrivateIP: true})
	addresses, err := client.GetInstanceIPAddresses(ctx, web.ID)
	must(t, err)
	address := addresses.IPv4.Private[0].Address + ":80"
	label, throttle := "go-front", 5
	front, err := client.CreateNodeBalancer(ctx, linodego.NodeBalancerCreateOptions{
		Label: &label, Region: region, ClientConnThrottle: &throttle, Tags: []string{"prod"},
	})
	must(t, err)
	equal(t, front.Tags, []string{"prod"})
	config, err := client.CreateNodeBalancerConfig(ctx, front.ID, linodego.NodeBalancerConfigCreateOptions{
		Port: 80, Protocol: linodego.ProtocolHTTP, Check: linodego.CheckConnection,
	})
	must(t, err)
	equal(t, []int{config.CheckTimeout, config.CheckInterval}, []int{30, 31})
	node, err := client.CreateNodeBalancerNode(ctx, front.ID, config.ID, linodego.NodeBalancerNodeCreateOptions{Address: address, Label: "web"})
	must(t, err)
	equal(t, node.Weight, 50)
	change := node.GetUpdateOptions()
	change.Weight = 70
	node, err = client.UpdateNodeBalancerNode(ctx, front.ID, config.ID, node.ID, change)
	must(t, err)
	equal(t, node.Weight, 70)
	options := config.GetUpdateOptions()
	options.Port = 8080
	config, err = client.UpdateNodeBalancerConfig(ctx, front.ID, config.ID, options)
	must(t, err)
	equal(t, config.Port, 8080)
	label, throttle = "go-entry", 0
	front, err = client.UpdateNodeBalancer(ctx, front.ID, linodego.NodeBalancerUpdateOptions{Label: &label, ClientConnThrottle: &throttle})
	must(t, err)
	equal(t, *front.Label, "go-entry")
	must(t, client.DeleteNodeBalancerNode(ctx, front.ID, config.ID, node.ID))
	must(t, client.DeleteNodeBalancerConfig(ctx, front.ID, config.ID))
	must(t, client.DeleteNodeBalancer(ctx, front.ID))
	_, err = client.GetNodeBalancer(ctx, front.ID)
	refused(t, err, 404, "Not found")
}
