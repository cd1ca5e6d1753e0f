package name

import (
	"strings"
	"testing"
)

func TestUnknown(t *testing.T) {
	known := []string{"h100", "h200", "h20", "a100", "rtx-4090", "rtx-pro-6000"}
	for have, want := range map[string]string{
		"H200":    `unknown gpu "H200"; did you mean "h200"?`,
		"h300":    `unknown gpu "h300"; did you mean "h100" or "h200"?`,
		"rtx4090": `unknown gpu "rtx4090"; did you mean "rtx-4090"?`,
		"rtx":     `unknown gpu "rtx"; did you mean "rtx-4090" or "rtx-pro-6000"?`,
		"mi300x":  `unknown gpu "mi300x"; known: h100, h200, h20, a100, rtx-4090, rtx-pro-6000`,
		strings.Repeat("µ", 50): `unknown gpu "` + strings.Repeat("µ", 40) +
			`..."; known: h100, h200, h20, a100, rtx-4090, rtx-pro-6000`,
	} {
		if got := Unknown("gpu", have, known).Error(); got != want {
			t.Errorf("%q:\nhave %s\nwant %s", have, got, want)
		}
	}
}
