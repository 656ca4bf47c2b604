// Package config holds every option of an installation, each declared once:
// its flag is also an OCTAVO_ variable and a key of the configuration file,
// and its help is also the documentation. A secret can be given by the path of
// a file as well, in the variable whose name ends in _FILE.
//
// The command line comes first, then the environment, then the file, then the
// default. An empty variable counts as unset. Options that belong to one command alone (the name of a key, say)
// are declared with that command, not here. The package reads configuration
// and judges it; it acts on nothing.
//
// A command embeds [Storage] or [Options], is parsed by kong with [Kong], and
// then calls Check.
package config

import (
	"time"
)

// Storage says where an installation keeps its data. Every command that works
// on the data takes these options.
type Storage struct {
	Config      string   `group:"Storage" placeholder:"FILE" help:"Read options from this YAML or JSON file; its keys are the names of the options."`
	Data        string   `group:"Storage" placeholder:"DIR" default:"./octavo-data" help:"Folder that holds everything the server stores."`
	DatabaseURL Database `group:"Storage" placeholder:"URL" secret:"" help:"PostgreSQL database to use in place of the SQLite file in the data folder, as postgres://user:password@host/name."`
	BlobURL     Bucket   `group:"Storage" placeholder:"URL" secret:"" help:"Bucket to keep uploaded files in, in place of the folder files in the data folder, as s3://key:secret@host/bucket. Parameters: region, prefix, and insecure=true for a server without TLS. Several servers on one database need it, or a data folder that they share."`
	SecretKey   Secret   `group:"Storage" placeholder:"KEY" secret:"" help:"Key of 32 characters or more under which the secrets in the database are encrypted. Without one they are stored as they are, until a server is started with one. It cannot be changed once secrets were encrypted under it."`
}

// Exports says how exports are made.
type Exports struct {
	Fonts string `group:"Exports" placeholder:"DIR" help:"Folder with fonts for the scripts of PDF exports that the program has no font for; those below it count too. Fonts with TrueType outlines are taken, each when a character needs it. The folder is read once."`
}

// Server says how an installation is served.
type Server struct {
	Addr       Address           `group:"Addresses" placeholder:"HOST:PORT" default:"127.0.0.1:8080" help:"Address to serve the API on. Port 0 picks a free one."`
	OpsAddr    Address           `group:"Addresses" placeholder:"HOST:PORT" default:"127.0.0.1:8081" help:"Address to serve /livez, /readyz, /metrics and /debug/pprof/ on, to whoever reaches it: profiles tell what is in memory, so keep it from the public. Empty serves them nowhere."`
	OpsHosts   []string          `group:"Addresses" name:"ops-hosts" placeholder:"NAME" help:"Names by which --ops-addr may be asked, beside IP addresses, localhost and its own host. A request for another name is refused, so that no page in a browser reads what is served there."`
	PublicURL  URL               `group:"Addresses" placeholder:"URL" help:"Address under which clients reach the server, used in every link it sends. Without one it is the address served on; the Host header is never trusted."`
	SearchURL  URL               `group:"Addresses" placeholder:"URL" help:"Address of the search server. By default it is the public address followed by /search."`
	AuthURL    URL               `group:"Addresses" placeholder:"URL" help:"Address of the authorization server, whose tokens are accepted. By default it is the public address."`
	Regions    []Region          `group:"Addresses" placeholder:"NAME" default:"us,eu,apac" enum:"us,eu,apac" help:"Regions that this server answers searches for: us, eu, apac."`
	RegionURLs map[string]URL    `group:"Addresses" name:"region-urls" mapsep:"," placeholder:"NAME=URL" help:"Where other regions are searched; a search for one of them is redirected there."`
	Versions   []Version         `group:"Addresses" placeholder:"NAME" default:"v1,v2" enum:"v1,v2" help:"Versions of the API that are served: v1, v2."`
	Proxies    []Network         `group:"Addresses" name:"trusted-proxies" placeholder:"CIDR" help:"Networks of the proxies whose X-Forwarded-For tells the address of a client."`
	Site       SiteMode          `group:"Site" placeholder:"WHO" default:"members" enum:"off,members,public" help:"Who reads the published pages in a browser, at /docs: nobody (off), whoever has signed in (members), or everybody (public)."`
	SiteURL    URL               `group:"Site" placeholder:"URL" help:"Address of the site, in place of /docs below --public-url: a path there, or with --site public the root of another host."`
	SiteCache  Size              `group:"Site" placeholder:"SIZE" default:"32MiB" help:"Memory for finished pages of the site, up to a quarter of --max-memory. 0 keeps none."`
	SiteLimit  int               `group:"Site" name:"site-rate-limit" placeholder:"N" default:"6000" help:"Requests for the site that a person, or an address, may make in 60 seconds; at most 120 of them may search. 0 sets no limit."`
	Studio     bool              `group:"Site" default:"true" help:"Serve Studio, in which people write, at /studio where they sign in; --studio=false turns it off."`
	CORS       []Origin          `group:"Limits" name:"cors-origins" placeholder:"ORIGIN" default:"*" help:"Origins whose pages may read answers in a browser. * is any; empty is none."`
	RateLimit  int               `group:"Limits" placeholder:"N" default:"600" help:"Requests that a credential, or an address without one, may make in 60 seconds. 0 sets no limit."`
	MaxBody    Size              `group:"Limits" placeholder:"SIZE" default:"2MiB" help:"Largest JSON or YAML body of a request, up to half of --max-memory."`
	MaxMemory  Size              `group:"Limits" placeholder:"SIZE" default:"512MiB" help:"Memory that the server is to take. Half of it is for requests: those that need more than is free wait a moment, and are then refused with 503."`
	PageCache  Size              `group:"Limits" placeholder:"SIZE" default:"96MiB" help:"Memory for pages and lists that are often read, up to half of --max-memory. 0 keeps none."`
	Changes    Span              `group:"Limits" name:"change-retention" aliases:"keep-changes" placeholder:"TIME" default:"30d" help:"How long the change log keeps a change, from 1h on. What reads the log and was away for longer has to begin anew."`
	Passes     int               `group:"Limits" name:"password-passes" placeholder:"N" default:"2" help:"What checking a password costs: passes of argon2id over 32 MiB, from 2 to 100. octavo users calibrate tells how many take how long. A password that was stored at another cost is stored anew when its owner signs in."`
	MaxUpload  Size              `group:"Limits" placeholder:"SIZE" default:"50MiB" help:"Largest file that can be uploaded, up to 48GiB."`
	MaxImport  Size              `group:"Limits" placeholder:"SIZE" default:"4GiB" help:"Largest zip that can be imported, up to 48GiB; what is in it may have four times as much."`
	AssetLife  time.Duration     `group:"Limits" name:"asset-url-lifetime" placeholder:"TIME" default:"0s" help:"How long the address of an asset is good at least; it is then signed, and good for twice as long at most. 0s makes addresses that stay."`
	LogFormat  string            `group:"Operation" placeholder:"FORMAT" default:"text" enum:"text,json" help:"Form of the log on standard error: text or json."`
	LogLevel   string            `group:"Operation" placeholder:"LEVEL" default:"info" enum:"debug,info,warn,error" help:"Least important messages that are logged: debug, info, warn or error."`
	Shutdown   time.Duration     `group:"Operation" name:"shutdown-timeout" placeholder:"TIME" default:"15s" help:"How long a server that is told to stop waits for its requests to end."`
	Drain      time.Duration     `group:"Operation" placeholder:"TIME" default:"0s" help:"How long a server that is told to stop still takes requests, closing each connection with its answer, while /readyz already fails: as long as a load balancer needs to notice."`
	Roles      []ProcessRole     `group:"Operation" name:"process-roles" aliases:"roles" placeholder:"NAME" default:"api,search,worker,auth,site" enum:"api,search,worker,auth,site" help:"What this process does: api answers for pages, assets, events and credentials, search finds pages, worker does what is due, sends webhooks, makes exports and imports, auth signs people in. site shows pages at /docs, and needs search. Every process says whether it is healthy."`
	Weights    map[string]Weight `group:"Operation" name:"search-weights" mapsep:"," placeholder:"FIELD=NUMBER" help:"What a word counts by where it stands: above 0, up to 100. Fields that are not named keep title=8, headings=3.4, description=3, slug=2.6, former=2.6, tags=2, names=2.7, body=1, code=1, ancestors=1, links=1."`
	Demo       bool              `group:"Operation" help:"Fill the store with the documentation if it holds no page, not even a deleted one, and print new credentials to try it with, good for a day, in any case."`
}

// DefaultOpsAddr is the default of --ops-addr.
const DefaultOpsAddr Address = "127.0.0.1:8081"

// Options is every option of an installation.
type Options struct {
	Storage
	Exports
	Server
	Outside
	SignIn
	Mail
}
