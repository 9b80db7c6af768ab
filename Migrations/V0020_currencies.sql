-- Amounts are in the smallest unit of their currency by the whole of ISO 4217: some currencies have thousandths, and more have no
-- smaller unit than was known.

UPDATE copy SET price = price * 10 WHERE currency IN ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND');
UPDATE copy SET price = (price + 50) / 100 WHERE currency IN ('BIF', 'DJF', 'GNF', 'KMF', 'RWF', 'UYI', 'VUV', 'XPF');
UPDATE book SET price = price * 10 WHERE currency IN ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND');
UPDATE book SET price = (price + 50) / 100 WHERE currency IN ('BIF', 'DJF', 'GNF', 'KMF', 'RWF', 'UYI', 'VUV', 'XPF');
UPDATE wish SET price_limit = price_limit * 10 WHERE currency IN ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND');
UPDATE wish SET price_limit = (price_limit + 50) / 100 WHERE currency IN ('BIF', 'DJF', 'GNF', 'KMF', 'RWF', 'UYI', 'VUV', 'XPF');
