/**
 * A contract whose methods say everything about their responses: several
 * statuses, responses without a body, headers, and errors with other bodies.
 */
export const desk = `webrpc = v1
name = desk
version = v1.0.0

struct Report
  - id: string

struct Ticket
  - position: uint32

# The body of most errors.
struct Failure
  - code: string
    + error = name
  - reason: string
    + error = message
  - detail?: string

type Failures: Failure
  + errorBody = "application/json"

# The key of a customer.
type Key: string
  + header = X-Key
  + error = Locked

struct Load
  - reason: string
    + error = message
  - left: uint32
  - resetAt?: uint32
    + header = X-Reset
  - scopes?: []string
    + header = X-Scopes

type LoadData: Load
  + dataOf = "Busy | Locked"

struct Refusal
  - code: string
    + header = X-Code

type RefusedData: Refusal
  + dataOf = Refused
  + anyStatus = true

struct Target
  - location: string
    + header = Location

type MovedData: Target
  + dataOf = Moved

error 1 Busy "busy" HTTP 429
error 2 Locked "locked" HTTP 423
error 3 Refused "refused" HTTP 500
error 4 Moved "moved" HTTP 301
error 5 NotFound "not found" HTTP 404

service Desk
  @http:"POST /reports 200={report} 202={ticket} 204" @auth:"X-Key"
  - Create(name: string) => (report?: Report, ticket?: Ticket) errors Busy | Locked | Refused
  @http:"PUT /reports/{id} 200={report} 201={report}" @responseStatus:status
  - Put(id: string, name: string) => (status: uint16, report: Report) errors NotFound
  @http:"POST /reports/{id}/refresh 201=empty"
  - Refresh(id: string) errors Moved
  @http:"POST /reports/{id}/touch 200=empty"
  - Touch(id: string)
  @http:"DELETE /reports/{id} 204"
  - Remove(id: string)
  @http:"POST /drafts 201" @body:report @responseHeaders:"Location={location}, X-Tags={tags}, X-Count={count}"
  - Draft(name: string) => (report: Report, location: string, tags?: []string, count: uint32)
`;
