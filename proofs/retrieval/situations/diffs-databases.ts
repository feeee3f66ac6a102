import type { DiffRow } from '../shapes.ts'

export const databaseDiffs: readonly DiffRow[] = [
  {
    relevant: ['rest-201-location'],
    files: ['api/src/routes/projects.ts'],
    diff: `@@ -14,2 +14,7 @@ export function registerProjects(app: App) {
   app.get('/projects/:id', readProject)
+
+  app.post('/projects', async (request, reply) => {
+    const project = await createProject(request.body)
+    return reply.status(200).send({})
+  })
 }`,
  },
  {
    relevant: ['rest-page-cap'],
    files: ['api/src/routes/events.ts'],
    diff: `@@ -31,5 +31,6 @@
 export async function listEvents(request: Request) {
-  const limit = 50
+  const limit = Number(request.query.limit ?? 50)
   const after = decodeCursor(request.query.cursor)
-  return readEvents(after, limit)
+  const events = await readEvents(after, limit)
+  return { events, next: encodeCursor(events.at(-1)) }
 }`,
  },
  {
    relevant: ['rest-string-ids'],
    files: ['api/src/serializers/invoice.rb'],
    diff: `@@ -3,6 +3,7 @@ class InvoiceSerializer
   def as_json(*)
     {
-      id: @invoice.id.to_s,
+      id: @invoice.id,
+      parent_id: @invoice.parent_id.to_i,
       state: @invoice.state,
     }
   end`,
  },
  {
    relevant: ['gql-input-per-mutation', 'gql-mutation-return'],
    files: ['graphql/schema/project.graphql'],
    diff: `@@ -40,2 +40,4 @@ type Mutation {
   createProject(input: CreateProjectInput!): CreateProjectPayload!
+  renameProject(id: ID!, name: String!, notify: Boolean): Project!
+  moveProject(id: ID!, folderId: ID!): Boolean!
 }`,
  },
  {
    relevant: ['gql-custom-scalars'],
    files: ['graphql/schema/booking.graphql'],
    diff: `@@ -1,4 +1,7 @@
 type Booking {
   id: ID!
+  startsAt: String!
+  endsAt: String!
+  total: Float!
   room: Room!
 }`,
  },
  {
    relevant: ['compat-new-required'],
    files: ['openapi.yaml'],
    diff: `@@ -210,5 +210,8 @@ components:
     CreateShipment:
       type: object
-      required: [address]
+      required: [address, customs_code]
       properties:
         address: { type: string }
+        customs_code:
+          type: string
+          description: Harmonised code of the goods`,
  },
  {
    relevant: ['compat-cli-flags'],
    files: ['cmd/scan/main.go'],
    diff: `@@ -22,5 +22,5 @@ func newScanCommand() *cobra.Command {
 	cmd := &cobra.Command{Use: "scan", RunE: runScan}
-	cmd.Flags().String("out", "", "write the findings to this file")
+	cmd.Flags().String("output", "", "write the findings to this file")
 	cmd.Flags().Bool("quiet", false, "print nothing")
 	return cmd
 }`,
  },
  {
    relevant: ['sql-index-concurrently', 'sql-lock-timeout'],
    files: ['db/migrations/0142_orders_customer.sql'],
    diff: `@@ -0,0 +1,4 @@
+BEGIN;
+ALTER TABLE orders ADD COLUMN channel text;
+CREATE INDEX orders_customer_idx ON orders (customer_id, placed_at);
+COMMIT;`,
  },
  {
    relevant: ['sql-params-only'],
    files: ['app/reports/queries.py'],
    diff: `@@ -18,3 +18,5 @@ def revenue_by_region(conn, region):
     cur = conn.cursor()
-    cur.execute(REVENUE, (region,))
+    cur.execute(
+        f"SELECT sum(amount) FROM sales WHERE region = '{region}' GROUP BY month"
+    )
     return cur.fetchall()`,
  },
  {
    relevant: ['sql-timestamptz'],
    files: ['db/migrations/0201_sessions.sql'],
    diff: `@@ -0,0 +1,6 @@
+create table sessions (
+  id uuid primary key,
+  user_id uuid not null,
+  created_at timestamp not null default now(),
+  expires_at timestamp without time zone not null
+);`,
  },
  {
    relevant: ['sql-identifier-allowlist', 'sql-params-only'],
    files: ['internal/store/list.go'],
    diff: `@@ -51,2 +51,5 @@ func (s *Store) ListTickets(ctx context.Context, q ListQuery) ([]Ticket, error) {
 	sql := "SELECT id, title, state FROM tickets WHERE project_id = $1"
+	if q.SortBy != "" {
+		sql += " ORDER BY " + q.SortBy
+	}
 	rows, err := s.db.Query(ctx, sql, q.ProjectID)`,
  },
  {
    relevant: ['orm-n-plus-one'],
    files: ['shop/views.py'],
    diff: `@@ -40,2 +40,8 @@ def order_list(request):
-    orders = Order.objects.filter(user=request.user)
-    return render(request, "orders.html", {"orders": orders})
+    rows = []
+    for order in Order.objects.filter(user=request.user):
+        rows.append({
+            "number": order.number,
+            "customer": order.customer.name,
+            "items": [item.title for item in order.items.all()],
+        })
+    return render(request, "orders.html", {"rows": rows})`,
  },
  {
    relevant: ['orm-bulk-create'],
    files: ['contacts/importer.py'],
    diff: `@@ -25,2 +25,5 @@ class ContactImporter:
     def run(self, records):
-        self.stage(records)
+        for record in records:
+            contact = Contact(name=record["name"], email=record["email"])
+            contact.save()
+        return len(records)`,
  },
  {
    relevant: ['orm-callbacks-thin'],
    files: ['app/models/subscription.rb'],
    diff: `@@ -6,2 +6,11 @@ class Subscription < ApplicationRecord
   belongs_to :account
+
+  after_save :tell_everyone
+
+  private
+
+  def tell_everyone
+    SubscriptionMailer.changed(self).deliver_now
+    CrmClient.new.update_account(account_id, plan: plan)
+  end
 end`,
  },
  {
    relevant: ['orm-no-entities-out'],
    files: ['src/main/java/shop/OrderController.java'],
    diff: `@@ -30,5 +30,5 @@ public class OrderController {
   @GetMapping("/orders/{id}")
-  public OrderView get(@PathVariable UUID id) {
-    return OrderView.of(orders.findById(id).orElseThrow());
+  public OrderEntity get(@PathVariable UUID id) {
+    return orders.findById(id).orElseThrow();
   }
 }`,
  },
  {
    relevant: ['tenant-from-token'],
    files: ['server/src/middleware/context.ts'],
    diff: `@@ -9,6 +9,6 @@ export function buildContext(request: Request, claims: Claims): Context {
   return {
     userId: claims.sub,
-    tenantId: claims.tenant,
+    tenantId: request.headers['x-tenant-id'] ?? claims.tenant,
     locale: request.headers['accept-language'],
   }
 }`,
  },
  {
    relevant: ['tenant-unique-scope'],
    files: ['db/migrations/0077_projects_name.sql'],
    diff: `@@ -0,0 +1,5 @@
+set lock_timeout = '3s';
+
+alter table projects
+  add constraint projects_name_key unique (name);
+comment on constraint projects_name_key on projects is 'no two projects of the same name';`,
  },
]
