// Plays the calls of a Go client and prints what each gave.
package main

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"regexp"

	"github.com/piusalfred/whatsapp/config"
	"github.com/piusalfred/whatsapp/media"
	"github.com/piusalfred/whatsapp/message"
	"github.com/piusalfred/whatsapp/message/interactive"
	"github.com/piusalfred/whatsapp/message/template"
	"github.com/piusalfred/whatsapp/phonenumber"
)

type call struct {
	name string
	run  func() (any, error)
}

// The rest of an error differs from call to call.
var code = regexp.MustCompile(`statuscode: \d+`)

func main() {
	ctx := context.Background()
	to, inbound := os.Getenv("CUSTOMER"), os.Getenv("INBOUND")
	conf := &config.Config{
		BaseURL:           os.Getenv("BASE"),
		APIVersion:        "v25.0",
		AccessToken:       os.Getenv("TOKEN"),
		PhoneNumberID:     os.Getenv("NUMBER"),
		BusinessAccountID: os.Getenv("WABA"),
	}
	messages := message.NewClient(conf)
	files := media.NewClient(conf)
	numbers := phonenumber.NewClient(conf)

	sent := func(response *message.SendMessageResponse, err error) (any, error) {
		if err != nil {
			return nil, err
		}
		return map[string]any{"contacts": response.Contacts, "messages": len(response.Messages)}, nil
	}
	upload := func() (string, error) {
		response, err := files.Upload(ctx, &media.UploadRequest{MediaType: "image/png", Filepath: os.Getenv("PICTURE")})
		if err != nil {
			return "", err
		}
		return response.ID, nil
	}
	hello := func(name string) *template.Template {
		return &template.Template{Name: name, Language: &template.Language{Code: "en_US"}}
	}

	calls := []call{
		{"text", func() (any, error) {
			return sent(messages.SendTextMessage(ctx, message.SendTo(to), &message.Text{Body: "Hello"}))
		}},
		{"reply", func() (any, error) {
			return sent(messages.SendTextMessage(ctx, message.SendTo(to).ReplyTo(inbound), &message.Text{Body: "As I said"}))
		}},
		{"reaction", func() (any, error) {
			return sent(messages.SendReactionMessage(ctx, message.SendTo(to), &message.Reaction{MessageID: inbound, Emoji: "👍"}))
		}},
		{"location", func() (any, error) {
			place := &message.Location{Longitude: -9.1, Latitude: 38.7, Name: "Shop", Address: "Rua 1"}
			return sent(messages.SendLocationMessage(ctx, message.SendTo(to), place))
		}},
		{"template", func() (any, error) {
			return sent(messages.SendTemplateMessage(ctx, message.SendTo(to), hello("hello_world")))
		}},
		{"rejected template", func() (any, error) {
			return sent(messages.SendTemplateMessage(ctx, message.SendTo(to), hello("no_such")))
		}},
		{"buttons", func() (any, error) {
			buttons := []*interactive.ReplyButton{{ID: "yes", Title: "Yes"}}
			content := interactive.ReplyButtons(&interactive.ReplyButtonsRequest{Buttons: buttons, Body: "Sure?", Footer: "Shop"})
			return sent(messages.SendInteractiveMessage(ctx, message.SendTo(to), content))
		}},
		{"list", func() (any, error) {
			rows := []*interactive.SectionRow{{ID: "s", Title: "Small"}}
			sections := []*interactive.Section{{Title: "Sizes", Rows: rows}}
			content := interactive.List(&interactive.ListRequest{Body: "Which?", Button: "Choose", Header: "Shop", Footer: "Thanks", Sections: sections})
			return sent(messages.SendInteractiveMessage(ctx, message.SendTo(to), content))
		}},
		{"image", func() (any, error) {
			id, err := upload()
			if err != nil {
				return nil, err
			}
			return sent(messages.SendImageMessage(ctx, message.SendTo(to), &message.Image{ID: id, Caption: "A dot"}))
		}},
		{"read", func() (any, error) {
			response, err := messages.UpdateMessageStatus(ctx, &message.StatusUpdateRequest{MessageID: inbound, Status: message.StatusRead})
			if err != nil {
				return nil, err
			}
			return response.Success, nil
		}},
		{"bytes of an upload", func() (any, error) {
			id, err := upload()
			if err != nil {
				return nil, err
			}
			info, err := files.GetInfo(ctx, media.ID(id))
			if err != nil {
				return nil, err
			}
			request, _ := http.NewRequestWithContext(ctx, http.MethodGet, info.URL, nil)
			request.Header.Set("Authorization", "Bearer "+conf.AccessToken)
			response, err := http.DefaultClient.Do(request)
			if err != nil {
				return nil, err
			}
			defer response.Body.Close()
			bytes, err := io.ReadAll(response.Body)
			got := map[string]any{"type": info.MimeType, "sha256": info.SHA256, "size": info.FileSize, "status": response.StatusCode, "bytes": len(bytes)}
			return got, err
		}},
		{"deletion of an upload", func() (any, error) {
			id, err := upload()
			if err != nil {
				return nil, err
			}
			return files.Delete(ctx, media.ID(id))
		}},
		{"number", func() (any, error) {
			return numbers.Get(ctx, &phonenumber.GetRequest{ID: conf.PhoneNumberID, Fields: []string{"verified_name"}})
		}},
	}

	given := map[string]any{}
	for _, call := range calls {
		value, err := call.run()
		if err != nil {
			given[call.name] = map[string]string{"thrown": code.FindString(err.Error())}
			continue
		}
		given[call.name] = value
	}
	if err := json.NewEncoder(os.Stdout).Encode(given); err != nil {
		panic(err)
	}
}
