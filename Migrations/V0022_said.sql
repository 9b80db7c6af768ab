-- What a row of a file said of a life: a line for each time that something was watched or read, and one for a wish. A newer export says
-- what became of these.

ALTER TABLE import_row ADD COLUMN said TEXT;
