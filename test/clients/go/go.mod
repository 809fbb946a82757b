module clients

go 1.17

require github.com/linode/linodego v1.4.0

require (
	github.com/go-resty/resty/v2 v2.1.1-0.20191201195748-d7b97669fe48 // indirect
	golang.org/x/net v0.0.0-20190628185345-da137c7871d7 // indirect
)
