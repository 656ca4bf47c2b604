// The test of the generated Go client. A module of its own, so that what the
// generated code needs weighs nothing on the product.
module github.com/octavo-docs/octavo/api/clienttest/go

go 1.26.0

require (
	github.com/oapi-codegen/nullable v1.1.0
	github.com/oapi-codegen/runtime v1.8.0
)

require (
	github.com/apapsch/go-jsonmerge/v2 v2.0.0 // indirect
	github.com/google/uuid v1.6.0 // indirect
)
