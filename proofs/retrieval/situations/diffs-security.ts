import type { DiffRow } from '../shapes.ts'

export const securityDiffs: readonly DiffRow[] = [
  {
    relevant: ['auth-constant-time'],
    files: ['server/src/hooks/verify.ts'],
    diff: `@@ -4,3 +4,4 @@
 export function isGenuine(body: Buffer, given: string, key: Buffer): boolean {
-  return verifyHmac(body, given, key)
+  const expected = createHmac('sha256', key).update(body).digest('hex')
+  return expected === given
 }`,
  },
  {
    relevant: ['auth-jwt-alg'],
    files: ['server/src/auth/token.ts'],
    diff: `@@ -11,2 +11,3 @@ export function readToken(token: string): Claims {
-  return verify(token, publicKey, { algorithms: ['ES256'], issuer, audience }) as Claims
+  const { header } = decode(token, { complete: true }) ?? fail()
+  return verify(token, publicKey, { algorithms: [header.alg] }) as Claims
 }`,
  },
  {
    relevant: ['auth-no-localstorage'],
    files: ['web/src/session/store.ts'],
    diff: `@@ -1,4 +1,6 @@
 export async function signIn(name: string, word: string) {
   const answer = await post('/session', { name, word })
+  window.localStorage.setItem('access', answer.accessToken)
+  window.localStorage.setItem('refresh', answer.refreshToken)
   return answer.user
 }`,
  },
  {
    relevant: ['authz-no-role-names'],
    files: ['server/src/invoices/void.ts'],
    diff: `@@ -7,3 +7,6 @@ export async function voidInvoice(caller: Caller, id: InvoiceId) {
+  if (caller.role !== 'admin' && caller.role !== 'accountant') {
+    throw new Forbidden()
+  }
   const invoice = await readInvoice(caller.scope, id)
   await markVoid(invoice)
 }`,
  },
  {
    relevant: ['authz-mass-assignment'],
    files: ['app/controllers/users_controller.rb'],
    diff: `@@ -14,5 +14,5 @@ class UsersController < ApplicationController
   def update
     user = current_account.users.find(params[:id])
-    user.update!(params.require(:user).permit(:name, :locale))
+    user.update!(params[:user].to_unsafe_h)
     render json: user
   end`,
  },
  {
    relevant: ['secret-docker-build'],
    files: ['Dockerfile'],
    diff: `@@ -3,4 +3,6 @@ FROM node:24-slim@sha256:0f1c AS build
 WORKDIR /app
 COPY package.json package-lock.json ./
-RUN npm ci
+ARG NPM_TOKEN
+ENV NPM_TOKEN=$NPM_TOKEN
+RUN npm ci
 COPY . .`,
  },
  {
    relevant: ['secret-random-source'],
    files: ['server/src/invitations/code.ts'],
    diff: `@@ -1,1 +1,5 @@
-export const makeCode = () => randomBytes(24).toString('base64url')
+export function makeCode(): string {
+  const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
+  const pick = () => letters[Math.floor(Math.random() * letters.length)]
+  return Array.from({ length: 12 }, pick).join('')
+}`,
  },
  {
    relevant: ['k8s-requests-limits'],
    files: ['deploy/api/deployment.yaml'],
    diff: `@@ -30,2 +30,8 @@ spec:
         - name: api
           image: registry.example/api@sha256:9a31
+          resources:
+            requests:
+              memory: 256Mi
+            limits:
+              memory: 2Gi
+              cpu: 500m`,
  },
  {
    relevant: ['k8s-layer-order'],
    files: ['services/report/Dockerfile'],
    diff: `@@ -2,5 +2,4 @@ FROM python:3.13-slim@sha256:4efa
 WORKDIR /srv
-COPY pyproject.toml uv.lock ./
-RUN uv sync --frozen
 COPY . .
+RUN uv sync --frozen
 USER 10001`,
  },
  {
    relevant: ['k8s-pid1-signals'],
    files: ['services/mailer/Dockerfile'],
    diff: `@@ -11,4 +11,4 @@ FROM base
 COPY --from=build /app/dist ./dist
 USER 10001
 EXPOSE 8080
-ENTRYPOINT ["node", "dist/mailer.js"]
+ENTRYPOINT node dist/mailer.js`,
  },
  {
    relevant: ['tf-iam-wildcard'],
    files: ['infra/services/thumbnailer/iam.tf'],
    diff: `@@ -1,7 +1,7 @@
 data "aws_iam_policy_document" "thumbnailer" {
   statement {
     effect    = "Allow"
-    actions   = ["s3:GetObject", "s3:PutObject"]
-    resources = [aws_s3_bucket.pictures.arn]
+    actions   = ["s3:*"]
+    resources = ["*"]
   }
 }`,
  },
  {
    relevant: ['tf-for-each'],
    files: ['infra/network/subnets.tf'],
    diff: `@@ -1,5 +1,5 @@
 resource "aws_subnet" "private" {
-  for_each   = var.subnets
+  count      = length(var.subnets)
   vpc_id     = aws_vpc.main.id
-  cidr_block = each.value
+  cidr_block = var.subnets[count.index]
 }`,
  },
  {
    relevant: ['cloud-sg-reference'],
    files: ['infra/database/security.tf'],
    diff: `@@ -8,5 +8,5 @@ resource "aws_vpc_security_group_ingress_rule" "postgres" {
   from_port                    = 5432
   to_port                      = 5432
   ip_protocol                  = "tcp"
-  referenced_security_group_id = aws_security_group.api.id
+  cidr_ipv4                    = "0.0.0.0/0"
 }`,
  },
]
