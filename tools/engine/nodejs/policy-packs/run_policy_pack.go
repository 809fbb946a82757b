// Added to the language host of the SDK 3.68.0, which cannot run policy packs: the present CLI asks the host for it.
package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/pulumi/pulumi/sdk/v3/go/common/util/rpcutil"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
)

// Fields of the present protocol that version 3.68.0 of it does not name.
const (
	requestInfo          protowire.Number = 5 // RunPluginRequest.info
	requestKind          protowire.Number = 6 // RunPluginRequest.kind
	infoProgramDirectory protowire.Number = 2 // ProgramInfo.program_directory
)

// runPolicyPack runs a policy pack with the launcher in the pack's own @pulumi/pulumi.
func runPolicyPack(request *pulumirpc.RunPluginRequest, server pulumirpc.LanguageRuntime_RunPluginServer) error {
	fields := request.ProtoReflect().GetUnknown()
	if kind := string(bytesField(fields, requestKind)); kind != "analyzer" {
		return fmt.Errorf("this language host was built for policy packs and cannot run a plugin of kind %q", kind)
	}
	folder := string(bytesField(bytesField(fields, requestInfo), infoProgramDirectory))
	launcher, err := launcherIn(server.Context(), folder)
	if err != nil {
		return err
	}
	closer, stdout, stderr, err := rpcutil.MakeRunPluginStreams(server, false)
	if err != nil {
		return err
	}
	defer closer.Close()

	// The context ends when the CLI no longer needs the pack.
	node := exec.CommandContext(server.Context(), "node", append(append([]string{launcher}, request.Args...), ".")...)
	node.Dir, node.Env, node.Stdout, node.Stderr = folder, request.Env, stdout, stderr
	var exit *exec.ExitError
	if err := node.Run(); errors.As(err, &exit) {
		return server.Send(&pulumirpc.RunPluginResponse{
			Output: &pulumirpc.RunPluginResponse_Exitcode{Exitcode: int32(exit.ExitCode())},
		})
	} else if err != nil {
		return err
	}
	return closer.Close()
}

func launcherIn(ctx context.Context, folder string) (string, error) {
	node := exec.CommandContext(ctx, "node", "-p", "require.resolve('@pulumi/pulumi/cmd/run-policy-pack')")
	node.Dir = folder
	out, err := node.Output()
	if err != nil {
		return "", fmt.Errorf("cannot find @pulumi/pulumi in %s: run npm install in that folder", folder)
	}
	return string(out[:len(out)-1]), nil
}

// bytesField returns the contents of a string or message field, empty if the message does not have it.
func bytesField(message []byte, wanted protowire.Number) []byte {
	for len(message) > 0 {
		number, wire, length := protowire.ConsumeTag(message)
		if length < 0 {
			return nil
		}
		value := message[length:]
		if number == wanted && wire == protowire.BytesType {
			found, _ := protowire.ConsumeBytes(value)
			return found
		}
		size := protowire.ConsumeFieldValue(number, wire, value)
		if size < 0 {
			return nil
		}
		message = value[size:]
	}
	return nil
}
