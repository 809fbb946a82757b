package main

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"sync"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

type resource struct {
	name  string
	value pulumi.Resource
}

type line struct {
	Preview  bool        `json:"preview"`
	Resource string      `json:"resource"`
	Property string      `json:"property"`
	Value    interface{} `json:"value"`
}

// Values of the SDK's types as JSON, with the names of the schema.
func plain(value reflect.Value) interface{} {
	switch value.Kind() {
	case reflect.Pointer, reflect.Interface:
		if value.IsNil() {
			return nil
		}
		return plain(value.Elem())
	case reflect.Struct:
		fields := map[string]interface{}{}
		for i := 0; i < value.NumField(); i++ {
			if name := value.Type().Field(i).Tag.Get("pulumi"); name != "" {
				fields[name] = plain(value.Field(i))
			}
		}
		return fields
	case reflect.Slice:
		items := []interface{}{}
		for i := 0; i < value.Len(); i++ {
			items = append(items, plain(value.Index(i)))
		}
		return items
	case reflect.Map:
		entries := map[string]interface{}{}
		for _, key := range value.MapKeys() {
			entries[key.String()] = plain(value.MapIndex(key))
		}
		return entries
	case reflect.Invalid:
		return nil
	default:
		return value.Interface()
	}
}

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		made := []resource{}
		err := ctx.RegisterStackTransformation(func(args *pulumi.ResourceTransformationArgs) *pulumi.ResourceTransformationResult {
			if kind, found := strings.CutPrefix(args.Type, "cloudinfra:index:"); found {
				made = append(made, resource{kind + " " + args.Name, args.Resource})
			}
			return nil
		})
		if err != nil {
			return err
		}
		for _, example := range examples {
			if err := example(ctx); err != nil {
				return err
			}
		}
		file, err := os.OpenFile("applied.jsonl", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		var lock sync.Mutex
		for _, one := range made {
			fields := reflect.ValueOf(one.value).Elem()
			for i := 0; i < fields.NumField(); i++ {
				property := fields.Type().Field(i).Tag.Get("pulumi")
				output, isOutput := fields.Field(i).Interface().(pulumi.Output)
				if property == "" || !isOutput {
					continue
				}
				output.ApplyT(func(value interface{}) (interface{}, error) {
					text, err := json.Marshal(line{ctx.DryRun(), one.name, property, plain(reflect.ValueOf(value))})
					if err != nil {
						return nil, err
					}
					lock.Lock()
					defer lock.Unlock()
					_, err = file.Write(append(text, '\n'))
					return nil, err
				})
			}
		}
		return nil
	})
}
