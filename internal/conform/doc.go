// Package conform runs contract scripts: plain text files that send HTTP
// requests and say what must come back. The same script runs against a
// [net/http.Handler] within a test and, over the network, against any server
// that claims to keep the contract. [Run] does either and returns a [Report].
//
// The package owns the script language and the check of every answer against
// the OpenAPI document. It does not own the scripts (package api), start a
// server, or make credentials: whoever calls Run hands these in.
//
// # A script
//
// A script opens with a comment that says why it exists. The comment ends in a
// part that begins with "Shows:" and names the rows of the contract and the
// decisions that would be broken if the script failed:
//
//	# A page that was created can be read back, byte for byte.
//	#
//	# Shows: contract endpoints 2 and 3; decisions 6, 15.
//
//	as writer
//
//	POST /v1/pages
//	json: {"title": "Hello", "slug": "hello-${unique}", "content": "# Hi\n"}
//	status 201
//	header Location matches ^${base}/v1/pages/page_\w+$
//	json /status == "draft"
//	capture id /id
//
//	GET /v1/pages/${id}
//	as reader
//	Accept: text/markdown
//	status 200
//	body == "# Hi\n"
//
// Blank lines separate blocks; a line that begins with # is a comment. Each
// block is one request and what is expected of its answer. A block in which
// something fails ends its script, after all its expectations were tried.
//
// Between the opening comment and the first request may stand
//
//	as NAME        the credential of every block that names none
//	requires NAME  what the script needs beside the credentials it uses: a
//	               credential or a parameter of the run; several may be named
//
// A run that lacks a credential or parameter skips the script and notes it,
// unless [Options.RequireAll] is set.
//
// # Requests
//
// A block begins with a method and a target. The target is a path under the
// public address of the server, or a whole URL under that address, such as one
// captured from Location; other hosts are never contacted. The lines below it
// may be, in any order,
//
//	as NAME             send this credential; "nobody" sends none
//	Accept: text/csv    a header; repeat the line to send it twice
//	json: {"a": 1}      a body of media type application/json
//	yaml: a: 1          a body of media type application/x-yaml
//	raw: "a\x00\xff"    a body in Go string syntax, without a media type
//	pad 2097152         add spaces to the body until it has so many bytes
//	repeat 5            send the request so often; expect the same each time
//	undocumented        do not hold the answer against the document
//
// A Content-Type header takes the place of the one that json and yaml set.
// A text of several lines stands between <<< and >>>, whatever it holds:
//
//	POST /v1/pages
//	yaml: <<<
//	title: Two lines
//
//	slug: two-lines-${unique}
//	>>>
//	status 400
//
// # Expectations
//
// Every block says its status, as a number or as a class such as 2xx. More
// lines may follow:
//
//	status 201
//	header ETag absent
//	header Location matches ^${base}/v1/pages/
//	body empty
//	body contains "id,title,score"
//	json /title == "Hello"
//	json /data length 2
//	json /errors contains {"path": "/slug"}
//	json /data each {"status": "published"}
//	schema PageList
//
// What can be asked of a header or the body:
//
//	absent, present    (headers) whether the field was sent
//	empty              (body) no byte was sent
//	== TEXT, != TEXT   the whole value
//	contains TEXT      some part of it; lacks TEXT is the opposite
//	matches REGEXP     RE2 syntax; not anchored unless it says so
//
// TEXT is taken as written, or in Go string syntax when it begins with a
// quotation mark. A field sent several times counts as one, joined by ", ".
//
// What can be asked of JSON, at a JSON Pointer (RFC 6901), or of the whole
// body when no pointer is given:
//
//	absent, present    whether there is such a value
//	== JSON, != JSON   equality; numbers are compared by value
//	length N           elements of an array, members of an object,
//	                   code points of a string
//	contains JSON      some element of the array has this value, an object
//	                   at least these members; lacks JSON is the opposite
//	each JSON          all elements have it
//	matches REGEXP     of a string
//
// A body that was sent compressed (Content-Encoding: gzip) is looked at as it
// was before.
//
// The expectation "schema NAME" holds the body against a schema among the
// document's components.
//
// # Names
//
// A capture keeps a part of the answer for the lines below it, also in later
// blocks; a string is kept without its quotation marks.
//
//	capture id /id
//	capture etag header ETag
//	capture text body
//
// These stand wherever text may stand:
//
//	${id}              a captured value, or a parameter of the run
//	${base}            the public address, without a version
//	${unique}          letters and digits that no other run uses, so that
//	                   scripts do not mind what a server already holds
//	${quote etag}      the value as a JSON string, with quotation marks
//	${query cursor}    the value, escaped for a query
//	${alter cursor}    the value with a character in its middle changed
//	${cut cursor}      the value without its last character
//	${secret reader}   the secret of a credential; never shown in reports
//	${fill é 121}      the text so many times; %d in it is the count, from 1
//
// # The document
//
// Whatever a block expects, its answer is also held against the OpenAPI
// document if its operation is found there: the status must be declared, alone
// or by default, the media type and the headers must be, and the body and the
// headers must fit their schemas, formats included. JSON must not repeat
// members. HEAD is taken for GET without a body. A block that breaks this on
// purpose says undocumented.
//
// # Failures
//
// A failure names the line, the request, and what was had and wanted:
//
//	05-scopes.txt:17: POST /v1/pages: status 403
//		have 201 {"id":"page_01h455vb4pex5vsknk084sn02q", ...
//		want 403
package conform
