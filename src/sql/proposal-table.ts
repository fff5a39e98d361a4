// Changes that agents have proposed and nobody has applied yet.

export interface ProposalTable {
  company_id: string
  proposal_id: string
  /** Who has proposed it: nobody else can apply it. */
  client_id: string
  user_id: string
  /** JSON: the request that is sent when it is applied. */
  request: string
  /** `YYYY-MM-DDTHH:mm:ss.SSSZ`. */
  expires_at: string
}
