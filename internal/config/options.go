// Package config declares every option of an installation once: its flag is also an
// OCTAVO_ variable and a key of the configuration file, and its help is also the
// documentation. A secret can also be read from a file, whose path is in a variable that
// ends in _FILE.
//
// Precedence: flags, then environment variables, then the configuration file, then
// defaults. An empty variable counts as unset. Options of one command alone, such as the
// name of a key, are declared with that command. The package reads and checks
// configuration, and does nothing else.
//
// A command embeds [Storage] or [Options], is parsed by kong with [Kong], and then calls
// Check.
package config

import "time"

// Storage says where the data is. Every command that uses the data has these options.
type Storage struct {
	Config      string   `group:"Storage" placeholder:"FILE" help:"Read options from this YAML or JSON file; its keys are the names of the options."`
	Data        string   `group:"Storage" placeholder:"DIR" default:"./octavo-data" help:"Data folder, in which the server stores everything."`
	DatabaseURL Database `group:"Storage" placeholder:"URL" secret:"" help:"PostgreSQL database to use instead of the SQLite file in the data folder, as postgres://user:password@host/name."`
	BlobURL     Bucket   `group:"Storage" placeholder:"URL" secret:"" help:"Bucket for uploaded files, as s3://key:secret@host/bucket, instead of the folder files in the data folder. Parameters: region, prefix, and insecure=true for a server without TLS. Several servers on one database need a bucket or a shared data folder."`
	SecretKey   Secret   `group:"Storage" placeholder:"KEY" secret:"" help:"Key of 32 characters or more that encrypts the secrets in the database. Without it they are stored in plain text, until a server is started with a key. The key cannot be changed after its first use."`
}

type Exports struct {
	Fonts string `group:"Exports" placeholder:"DIR" help:"Folder, searched with its subfolders, with fonts for scripts that the program has no font for in PDF exports. They need TrueType outlines. A font is used only where a character needs it. The folder is read once."`
}

type Server struct {
	Addr       Address           `group:"Addresses" placeholder:"HOST:PORT" default:"127.0.0.1:8080" help:"Address to serve the API on. Port 0 chooses a free port."`
	OpsAddr    Address           `group:"Addresses" placeholder:"HOST:PORT" default:"127.0.0.1:8081" help:"Address to serve /livez, /readyz, /metrics and /debug/pprof/ on, without credentials. Profiles reveal the contents of memory, so keep it private. Empty turns them off."`
	OpsHosts   []string          `group:"Addresses" name:"ops-hosts" placeholder:"NAME" help:"Host names accepted at --ops-addr, in addition to IP addresses, localhost and its own host. Requests for other names are refused, so that no web page in a browser can read this address."`
	PublicURL  URL               `group:"Addresses" placeholder:"URL" help:"Address under which clients reach the server. Every link that the server sends begins with it. The default is --addr; the Host header is never used."`
	SearchURL  URL               `group:"Addresses" placeholder:"URL" help:"Address of the search server. The default is the public address followed by /search."`
	AuthURL    URL               `group:"Addresses" placeholder:"URL" help:"Address of the authorization server, whose tokens are accepted. The default is the public address."`
	Regions    []Region          `group:"Addresses" placeholder:"NAME" default:"us,eu,apac" enum:"us,eu,apac" help:"Regions that this server answers searches for: us, eu, apac."`
	RegionURLs map[string]URL    `group:"Addresses" name:"region-urls" mapsep:"," placeholder:"NAME=URL" help:"Addresses of the servers that search other regions; a search for such a region is redirected there."`
	Versions   []Version         `group:"Addresses" placeholder:"NAME" default:"v1,v2" enum:"v1,v2" help:"Versions of the API that are served: v1, v2."`
	Proxies    []Network         `group:"Addresses" name:"trusted-proxies" placeholder:"CIDR" help:"Networks of the proxies whose X-Forwarded-For header is trusted for the address of a client."`
	Site       SiteMode          `group:"Site" placeholder:"WHO" default:"members" enum:"off,members,public" help:"Who can read the published pages in a browser, at /docs: nobody (off), people who have signed in (members), or everybody (public)."`
	SiteURL    URL               `group:"Site" placeholder:"URL" help:"Address of the site, instead of /docs below --public-url: another path below it, or with --site public the root of another host."`
	SiteCache  Size              `group:"Site" placeholder:"SIZE" default:"32MiB" help:"Memory for the cache of finished pages of the site, up to a quarter of --max-memory. 0 turns the cache off."`
	SiteLimit  int               `group:"Site" name:"site-rate-limit" placeholder:"N" default:"6000" help:"Rate limit of the site: requests of a person, or of an address, in 60 seconds. At most 120 of them may be searches. 0 sets no limit."`
	Studio     bool              `group:"Site" default:"true" help:"Serve Studio, the editor in the browser, at /studio of the address where people sign in. --studio=false turns it off."`
	CORS       []Origin          `group:"Limits" name:"cors-origins" placeholder:"ORIGIN" default:"*" help:"Origins whose web pages may read responses in a browser (CORS). * allows all; empty allows none."`
	RateLimit  int               `group:"Limits" placeholder:"N" default:"600" help:"Rate limit of the API: requests of a credential, or of an address without a credential, in 60 seconds. 0 sets no limit."`
	MaxBody    Size              `group:"Limits" placeholder:"SIZE" default:"2MiB" help:"Largest JSON or YAML body of a request, up to half of --max-memory."`
	MaxMemory  Size              `group:"Limits" placeholder:"SIZE" default:"512MiB" help:"Memory that the server may use. Half of it is for requests. A request that needs more than is free waits a moment, and is then refused with 503."`
	PageCache  Size              `group:"Limits" placeholder:"SIZE" default:"96MiB" help:"Memory for the cache of frequently read pages and lists, up to half of --max-memory. 0 turns the cache off."`
	Changes    Span              `group:"Limits" name:"change-retention" aliases:"keep-changes" placeholder:"TIME" default:"30d" help:"Retention of the change log, at least 1h. A reader of the log that was away for longer has to start again."`
	Passes     int               `group:"Limits" name:"password-passes" placeholder:"N" default:"2" help:"Cost of checking a password: passes of argon2id over 32 MiB, from 2 to 100. octavo users calibrate measures how many fit into a given time. A password stored at another cost is hashed again when its owner signs in."`
	MaxUpload  Size              `group:"Limits" placeholder:"SIZE" default:"50MiB" help:"Largest file that can be uploaded, up to 48GiB."`
	MaxImport  Size              `group:"Limits" placeholder:"SIZE" default:"4GiB" help:"Largest zip that can be imported, up to 48GiB. Its contents may have four times that size."`
	AssetLife  time.Duration     `group:"Limits" name:"asset-url-lifetime" placeholder:"TIME" default:"0s" help:"Minimum time that the address of an asset is valid. The address is then signed, and valid for at most twice that time. With 0s, addresses never expire."`
	LogFormat  string            `group:"Operation" placeholder:"FORMAT" default:"text" enum:"text,json" help:"Format of the log on standard error: text or json."`
	LogLevel   string            `group:"Operation" placeholder:"LEVEL" default:"info" enum:"debug,info,warn,error" help:"Lowest level of messages that are logged: debug, info, warn or error."`
	Shutdown   time.Duration     `group:"Operation" name:"shutdown-timeout" placeholder:"TIME" default:"15s" help:"How long a stopping server waits for requests in progress."`
	Drain      time.Duration     `group:"Operation" placeholder:"TIME" default:"0s" help:"How long a stopping server still accepts requests while /readyz already fails. It closes each connection after the response. Set it to the time that your load balancer needs to notice."`
	Roles      []ProcessRole     `group:"Operation" name:"process-roles" aliases:"roles" placeholder:"NAME" default:"api,search,worker,auth,site" enum:"api,search,worker,auth,site" help:"What this process does. api: answers requests about pages, assets, events and credentials. search: answers searches. worker: does scheduled work, sends webhooks, makes exports and imports. auth: signs people in. site: shows pages at /docs, and needs search. Every process serves the health checks."`
	Weights    map[string]Weight `group:"Operation" name:"search-weights" mapsep:"," placeholder:"FIELD=NUMBER" help:"Weight of a word by the field that contains it, above 0, up to 100. Defaults: title=8, headings=3.4, description=3, slug=2.6, former=2.6, tags=2, names=2.7, body=1, code=1, ancestors=1, links=1."`
	Demo       bool              `group:"Operation" help:"Try Octavo out: print new credentials, valid for a day. If the store has no page, not even a deleted one, also fill it with this documentation."`
}

const DefaultOpsAddr Address = "127.0.0.1:8081"

type Options struct {
	Storage
	Exports
	Server
	Outside
	SignIn
	Mail
}
