-- settings.reviewers: what a reviewer costs an organization a month, in the organization's currency.
create table reviewer_price (
  root_id uuid not null,
  organization_id uuid not null,
  reviewer text not null,
  price_per_month double precision not null check (price_per_month >= 0),
  primary key (root_id, organization_id, reviewer),
  foreign key (root_id, organization_id) references organization
);
call isolate_by_organization('reviewer_price');
grant select, insert, update, delete on reviewer_price to scholiast_api, scholiast_worker;
